import { describe, expect, it } from "vitest";
import { ask, echo, init, result } from "./testing/double-cli.ts";
import { ANN, House, until } from "./testing/house.ts";

const ID = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const IDLE_MS = 60_000;

/** A session whose process is up and idle after one turn. */
async function idle(house: House) {
  const session = await house.session();
  await session.send({ input: "go", inputId: ID(1) }, ANN);
  await until("it is written", () => house.cli.runs.size > 0 && house.cli.last.told.length === 1);
  const run = house.cli.last;
  run.print(init("s"), echo(ID(1)), result());
  await until("the turn is over", () => session.state.turnCount === 1 && session.log.settled);
  return { session, run };
}

describe("what time brings", () => {
  it("[A12] an idle process is ended after the timeout, and the log says why", async () => {
    const house = new House({ idleTimeoutMs: IDLE_MS });
    const { session } = await idle(house);
    house.now = session.state.at + IDLE_MS - 1;
    session.touchedAt = 0;
    house.manager.tick();
    expect(session.state.stop).toBeNull();
    house.now += 1;
    house.manager.tick();
    await until("it is over", async () => (await house.types()).includes("run:end"));
    expect((await house.events()).at(-1)).toMatchObject({ data: { reason: "idle_timeout" } });
    expect(session.state.lastError).toBeNull();
  });

  it("[A12] not while a prompt waits, however long", async () => {
    const house = new House({ idleTimeoutMs: IDLE_MS });
    const { session, run } = await idle(house);
    run.print(ask("r1"));
    await until("it waits", () => session.state.prompts.length === 1);
    session.touchedAt = 0;
    house.now = session.state.at + 100 * IDLE_MS;
    house.manager.tick();
    expect(session.state.stop).toBeNull();
  });

  it("[A13] the longest idle process makes room and is waited for; a busy house refuses", async () => {
    const house = new House({ maxRuns: 1 });
    const { run } = await idle(house);
    let wasOver = false;
    await house.manager.admitted(null, async () => {
      wasOver = run.exit !== null;
    });
    expect(wasOver).toBe(true);
    expect(await house.types()).toContain("run:end");

    const busy = new House({ maxRuns: 1 });
    const working = await busy.session();
    await working.send({ input: "go", inputId: ID(1) }, ANN);
    const act = () => Promise.resolve("done");
    await expect(busy.manager.admitted(null, act)).rejects.toMatchObject({
      code: "too_many_requests",
    });
    expect(await busy.manager.admitted(working, act)).toBe("done");
  });

  it("[A13] acts that come at the same moment do not all find the last place free", async () => {
    const house = new House({ maxRuns: 1 });
    let leave = (): void => {};
    const first = house.manager.admitted(
      null,
      () => new Promise<void>((resolve) => (leave = resolve)),
    );
    await expect(house.manager.admitted(null, () => Promise.resolve())).rejects.toMatchObject({
      code: "too_many_requests",
    });
    leave();
    await first;
  });

  it("a session that nobody needs leaves memory, and comes back as it was", async () => {
    const house = new House({ evictAfterMs: 10 });
    const { session, run } = await idle(house);
    house.now += 1_000;
    house.manager.tick();
    // Its process is alive: it stays.
    expect(house.manager.peek(session.id)).toBe(session);
    run.die();
    await until("it is over", () => session.evictable);
    house.now += 1_000;
    house.manager.tick();
    expect(house.manager.peek(session.id)).toBeNull();
    const again = await house.session();
    expect(again).not.toBe(session);
    expect(again.state).toEqual(session.state);
  });

  it("a session that is not there is not found", async () => {
    const house = new House();
    await expect(house.manager.open(ID(9))).rejects.toMatchObject({ code: "not_found" });
  });
});
