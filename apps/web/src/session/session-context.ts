/** The session whose room one is in. */
import { createContext, useContext, type Accessor } from "solid-js";
import type { Session } from "../live/create-session.ts";

export type SessionRoom = {
  readonly session: Session;
  /** The server's time, moving. */
  readonly now: Accessor<number>;
  readonly readBlob: (id: string) => Promise<string>;
  /** "you", or who it was. */
  readonly nameOf: (userId: string) => string;
};

export const SessionContext = createContext<SessionRoom>();

export function useSessionRoom(): SessionRoom {
  const room = useContext(SessionContext);
  if (room === undefined) throw new Error("used outside of SessionContext");
  return room;
}
