/**
 * The runners that are connected, and the runs that are reached through them: the api's remote
 * ProcessAdapter. Of two connections of one runner the one of the higher generation lives.
 */
import {
  LINK_CLOSE,
  runFactsSchema,
  SpawnError,
  START,
  type FromRunner,
  type Position,
  type ProcessAdapter,
  type RunFacts,
  type RunId,
  type RunnerFacts,
} from "@lodge/protocol";
import { RemoteHandle } from "./remote-handle.ts";
import {
  LinkLost,
  RunnerFailure,
  RunnerLink,
  type Hello,
  type LinkSocket,
  type Report,
  type Timers,
} from "./runner-link.ts";

export type RunnerStatus = {
  readonly runnerId: string;
  readonly connectedSince: number;
  readonly facts: RunnerFacts;
  readonly runs: number;
};

export type RunnerRegistryEffects = {
  readonly timers: Timers;
  /** Of the runs a runner holds, those that no session wants any more. */
  readonly unwanted: (runs: Hello["runs"]) => Promise<readonly RunId[]>;
  readonly report: (error: unknown, what: string) => void;
  readonly onChange: () => void;
  readonly onNotice: (notice: Extract<FromRunner, { type: "notice" }>) => void;
};

type Connected = { readonly link: RunnerLink; readonly hello: Hello; readonly since: number };
type Remote = {
  readonly handle: RemoteHandle;
  readonly runnerId: string;
  /** While a run is being asked for, a new connection must not adopt it a second time. */
  readonly isAsking: boolean;
};

export class RunnerRegistry {
  readonly #effects: RunnerRegistryEffects;
  readonly #connected = new Map<string, Connected>();
  readonly #links = new Set<RunnerLink>();
  readonly #remotes = new Map<RunId, Remote>();
  readonly #waiters = new Map<string, Array<() => void>>();
  readonly #lastLineAt = new Map<RunId, number | null>();

  constructor(effects: RunnerRegistryEffects) {
    this.#effects = effects;
  }

  // --------------------------------------------------------- connections

  /** A socket that has proved who it is. */
  accept(socket: LinkSocket): RunnerLink {
    const link: RunnerLink = new RunnerLink(
      socket,
      {
        onHello: (hello) => this.#welcome(link, hello),
        onData: (header, payload) => this.#of(link, header.runId)?.takeData(header, payload),
        onReport: (report) => this.#takeReport(link, report),
        onClosed: () => this.#drop(link),
      },
      this.#effects.timers,
    );
    this.#links.add(link);
    return link;
  }

  isConnected(runnerId: string): boolean {
    return this.#connected.has(runnerId);
  }

  list(): readonly RunnerStatus[] {
    return [...this.#connected].map(([runnerId, { hello, since }]) => ({
      runnerId,
      connectedSince: since,
      facts: hello.facts,
      runs: [...this.#remotes.values()].filter((remote) => remote.runnerId === runnerId).length,
    }));
  }

  lastLineAt(runId: RunId): number | null {
    return this.#lastLineAt.get(runId) ?? null;
  }

  close(): void {
    for (const link of this.#links) link.close(1001, "the api is going away");
  }

  #welcome(link: RunnerLink, hello: Hello): void {
    const { runnerId } = hello;
    const before = this.#connected.get(runnerId);
    if (before && before.hello.generation > hello.generation) {
      link.close(LINK_CLOSE.fenced, "a newer connection of this runner is here");
      return;
    }
    this.#connected.set(runnerId, { link, hello, since: this.#effects.timers.now() });
    before?.link.close(LINK_CLOSE.fenced, "a newer connection of this runner took over");
    for (const remote of this.#remotes.values())
      if (remote.runnerId === runnerId && !remote.isAsking) void this.#readopt(remote, link);
    for (const wake of this.#waiters.get(runnerId)?.splice(0) ?? []) wake();
    this.#effects.onChange();
    void this.#disown(link, hello);
  }

  async #disown(link: RunnerLink, hello: Hello): Promise<void> {
    try {
      const runIds = await this.#effects.unwanted(hello.runs);
      if (runIds.length > 0) link.send({ type: "disown", runIds: [...runIds] });
    } catch (error) {
      this.#effects.report(error, "could not tell which runs are wanted");
    }
  }

  #drop(link: RunnerLink): void {
    this.#links.delete(link);
    const runnerId = link.hello?.runnerId;
    if (runnerId === undefined || this.#connected.get(runnerId)?.link !== link) return;
    this.#connected.delete(runnerId);
    for (const remote of this.#remotes.values())
      if (remote.runnerId === runnerId) remote.handle.detach();
    this.#effects.onChange();
  }

  /** A runner speaks of its own runs only. */
  #of(link: RunnerLink, runId: RunId): RemoteHandle | null {
    const remote = this.#remotes.get(runId);
    return remote && remote.runnerId === link.hello?.runnerId ? remote.handle : null;
  }

  #takeReport(link: RunnerLink, report: Report): void {
    switch (report.type) {
      case "exited":
        this.#of(link, report.runId)?.takeExit(report.exit, report.position);
        return;
      case "notice":
        if (this.#of(link, report.runId)) this.#effects.onNotice(report);
        return;
      case "heartbeat":
        for (const run of report.runs)
          if (this.#of(link, run.runId)) this.#lastLineAt.set(run.runId, run.lastLineAt);
        return;
    }
  }

  // --------------------------------------------------------- the adapter

  /** The runs of one runner. */
  adapter(runnerId: string): ProcessAdapter {
    return {
      spawn: async (config) => {
        const handle = await this.#take(runnerId, config.runId, START, (link) =>
          link.request({ method: "spawn", config }),
        );
        if (!handle)
          throw new SpawnError("spawn_failed", "The runner did not say what it started.");
        return handle;
      },
      adopt: (runId, position) =>
        this.#take(runnerId, runId, position, (link) =>
          link.request({ method: "adopt", runId, position }),
        ),
    };
  }

  /** Waits for the runner as long as it takes; data may follow the answer at once, so the handle is there first. */
  async #take(
    runnerId: string,
    runId: RunId,
    position: Position,
    ask: (link: RunnerLink) => Promise<unknown>,
  ): Promise<RemoteHandle | null> {
    const placeholder: RunFacts = { processId: "", pid: null, alive: true };
    const handle = new RemoteHandle(runId, placeholder, position, () => this.#forget(runId));
    for (;;) {
      const link = await this.#linkTo(runnerId);
      this.#remotes.set(runId, { handle, runnerId, isAsking: true });
      try {
        const answer = await ask(link);
        if (answer === null || answer === undefined) {
          this.#forget(runId);
          return null;
        }
        this.#remotes.set(runId, { handle, runnerId, isAsking: false });
        handle.attach(link, runFactsSchema.parse(answer));
        if (!link.open) handle.detach();
        return handle;
      } catch (error) {
        this.#forget(runId);
        if (error instanceof LinkLost) continue;
        if (error instanceof RunnerFailure) throw new SpawnError(error.code, error.message);
        throw error;
      }
    }
  }

  async #linkTo(runnerId: string): Promise<RunnerLink> {
    for (;;) {
      const here = this.#connected.get(runnerId);
      if (here?.link.open) return here.link;
      await new Promise<void>((resolve) => {
        const waiting = this.#waiters.get(runnerId) ?? [];
        waiting.push(resolve);
        this.#waiters.set(runnerId, waiting);
      });
    }
  }

  async #readopt(remote: Remote, link: RunnerLink): Promise<void> {
    const { handle } = remote;
    try {
      const answer = await link.request({
        method: "adopt",
        runId: handle.runId,
        position: handle.position,
      });
      if (answer === null)
        handle.takeExit(
          { code: null, signal: null, cause: "unknown", stderr: "" },
          handle.position,
        );
      else if (link.open) handle.attach(link, runFactsSchema.parse(answer));
    } catch (error) {
      // The next connection tries again.
      if (!(error instanceof LinkLost))
        this.#effects.report(error, "a run could not be taken up again");
    }
  }

  #forget(runId: RunId): void {
    this.#remotes.delete(runId);
    this.#lastLineAt.delete(runId);
  }
}
