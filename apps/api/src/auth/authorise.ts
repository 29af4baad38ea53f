/**
 * Who may do what: the one place that decides. Pure, and total over verbs.
 */
import type { Actor } from "./actor.ts";

export type SessionVerb =
  | "see" // that it exists: title, status, times
  | "read" // its content: events, blobs, history
  | "act" // send, answer, configure, start, rename, archive
  | "stop" // stop a turn or end a run
  | "delete";
export type HouseVerb = "manage";

export type SessionObject = { readonly kind: "session"; readonly ownerId: string };
export type HouseObject = { readonly kind: "house" };

export function authorise(verb: SessionVerb, actor: Actor, object: SessionObject): boolean;
export function authorise(verb: HouseVerb, actor: Actor, object: HouseObject): boolean;
export function authorise(
  verb: SessionVerb | HouseVerb,
  actor: Actor,
  object: SessionObject | HouseObject,
): boolean {
  if (object.kind === "house") return actor.role === "admin";
  if (object.ownerId === actor.userId) return true;
  switch (verb) {
    // An admin sees others' sessions as metadata, and can stop what runs away.
    case "see":
    case "stop":
    case "delete":
      return actor.role === "admin";
    case "read":
    case "act":
    case "manage":
      return false;
  }
}
