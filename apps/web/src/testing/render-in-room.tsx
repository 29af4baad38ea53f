/** Renders a part of a session's page around a real feed whose server and clock are the test's. */
import { render } from "solid-js/web";
import type { JSX } from "solid-js";
import { createHttpClient, createStreamClient } from "@lodge/client";
import { makeFakeSource, makeFakeWorld, SESSION } from "@lodge/client/testing";
import type { EventDraft, Me } from "@lodge/protocol";
import { buildLog } from "@lodge/client/testing";
import { createSession } from "../live/create-session.ts";
import { LodgeContext } from "../live/lodge-context.ts";
import { SessionContext } from "../session/session-context.ts";

const ME: Me = { id: "u1", login: "ada", name: "Ada", role: "admin", isolation: "accounts" };

export function renderInRoom(log: readonly EventDraft[], part: () => JSX.Element) {
  const world = makeFakeWorld();
  const server = makeFakeSource();
  server.log.push(...buildLog(log));
  const http = createHttpClient({ baseUrl: "", effects: world.effects });
  const flushes = new Set<() => void>();
  const blobs = new Map<string, string>();
  const host = document.body.appendChild(document.createElement("div"));

  const Room = () => {
    const session = createSession({
      sessionId: SESSION,
      source: server.source,
      http,
      effects: world.effects,
      schedule: (flush) => {
        flushes.add(flush);
        return () => flushes.delete(flush);
      },
    });
    const room = {
      session,
      now: session.serverNow,
      readBlob: (id: string) =>
        blobs.has(id) ? Promise.resolve(blobs.get(id) ?? "") : Promise.reject(new Error("no blob")),
      nameOf: (userId: string) => (userId === ME.id ? "You" : userId),
    };
    const lodge = {
      http,
      effects: world.effects,
      stream: createStreamClient({ http, effects: world.effects }),
      me: () => ME,
      signOut: () => Promise.resolve(),
    };
    return (
      <LodgeContext.Provider value={lodge}>
        <SessionContext.Provider value={room}>{part()}</SessionContext.Provider>
      </LodgeContext.Provider>
    );
  };
  const dispose = render(() => <Room />, host);

  const show = () => {
    server.deliverAll();
    for (const flush of [...flushes]) {
      flushes.delete(flush);
      flush();
    }
  };
  show();
  return {
    world,
    server,
    host,
    blobs,
    /** The server commits these, and the page shows them. */
    append: (drafts: readonly EventDraft[]) => {
      server.append(buildLog(drafts, server.log.length + 1));
      show();
    },
    show,
    button: (name: string) => {
      const found = [...host.querySelectorAll("button")].find(
        (button) => button.textContent === name,
      );
      if (found === undefined) throw new Error(`no button "${name}" in ${host.textContent}`);
      return found;
    },
    hasButton: (name: string) =>
      [...host.querySelectorAll("button")].some((button) => button.textContent === name),
    /** Requests of acts, without the stream's own. */
    acts: () => world.requests.filter((request) => request.method !== "GET"),
    dispose: () => {
      dispose();
      host.remove();
    },
  };
}

export function type(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

export function press(target: Element, key: string, init: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  target.dispatchEvent(event);
  return event;
}
