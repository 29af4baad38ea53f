/** What every room of the page may use: the server, the stream, and who is here. */
import { createContext, useContext, type Accessor } from "solid-js";
import type { Effects, HttpClient, StreamClient } from "@lodge/client";
import type { Me } from "@lodge/protocol";

export type Lodge = {
  readonly http: HttpClient;
  readonly effects: Effects;
  readonly stream: StreamClient;
  readonly me: Accessor<Me>;
  readonly signOut: () => Promise<void>;
};

export const LodgeContext = createContext<Lodge>();

export function useLodge(): Lodge {
  const lodge = useContext(LodgeContext);
  if (lodge === undefined) throw new Error("used outside of LodgeContext");
  return lodge;
}
