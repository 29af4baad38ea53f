/** The page's stream, as long as its owner lives, woken when the tab or the network wakes up. */
import { createSignal, onCleanup, type Accessor } from "solid-js";
import {
  createStreamClient,
  type ConnectionState,
  type Effects,
  type HttpClient,
  type StreamClient,
} from "@lodge/client";

const WAKING = ["online", "pageshow", "focus"] as const;

export function createStream(options: { readonly http: HttpClient; readonly effects: Effects }): {
  readonly stream: StreamClient;
  readonly connection: Accessor<ConnectionState>;
} {
  const stream = createStreamClient(options);
  const [connection, setConnection] = createSignal(stream.connection());
  const unsubscribe = stream.onConnection(setConnection);
  const wake = () => {
    if (document.visibilityState === "visible") stream.poke();
  };
  for (const name of WAKING) window.addEventListener(name, wake);
  document.addEventListener("visibilitychange", wake);
  onCleanup(() => {
    for (const name of WAKING) window.removeEventListener(name, wake);
    document.removeEventListener("visibilitychange", wake);
    unsubscribe();
    stream.close();
  });
  return { stream, connection };
}
