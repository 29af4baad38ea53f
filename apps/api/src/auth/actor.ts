import type { Author } from "@lodge/protocol";

export type Role = "member" | "admin";

/** Who is asking, after authentication. */
export type Actor = {
  readonly userId: string;
  readonly login: string;
  readonly name: string;
  readonly role: Role;
  readonly via: Author["via"];
};

export const authorOf = (actor: Actor): Author => ({ userId: actor.userId, via: actor.via });
