import { createSignal } from "solid-js";

/** For what is kept outside of signals: reading it is `track`, having changed it is `bump`. */
export type Version = { readonly track: () => void; readonly bump: () => void };

export function makeVersion(): Version {
  const [track, bump] = createSignal<void>(undefined, { equals: false });
  return { track, bump };
}
