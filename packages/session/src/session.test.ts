import { deriveProcessAlive, SpawnError } from "@lodge/protocol";
import { describe, expect, it } from "vitest";
import { echo, init, reply, result } from "./testing/double-cli.ts";
import { ANN, House, idle, inTurn, until } from "./testing/house.ts";

const ID = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const user = (id: string) => expect.objectContaining({ type: "user", uuid: id });

describe("sending", () => {
  it("[A4] nothing reaches the process before it is committed", async () => {
    const house = new House();
    const session = await house.session();
    house.storage.hold();
    void session.send({ input: "go", inputId: ID(1) }, ANN).catch(() => undefined);
    await until("it is appended", () => session.state.seq === 3);
    expect(house.cli.runs.size).toBe(0);
    house.storage.release();
    await until("it is written", () => house.cli.runs.size > 0 && house.cli.last.told.length === 1);
    expect(house.cli.last.told).toEqual([user(ID(1))]);
  });

  it("[I1] the same inputId gives the same answer and reaches the process once", async () => {
    const { house, session } = await idle();
    const first = await session.send({ input: "again", inputId: ID(2) }, ANN);
    const second = await session.send({ input: "again", inputId: ID(2) }, ANN);
    expect(second).toEqual(first);
    await until("it is written", () => house.cli.last.told.length === 2);
    // Long after the fold has forgotten it the store still knows.
    const later = await house.crash().session();
    expect(await later.send({ input: "again", inputId: ID(2) }, ANN)).toEqual(first);
    expect(house.cli.last.told.filter((line) => line["type"] === "user")).toHaveLength(2);
  });

  it("[I4] Lodge holds the queue: the next input goes when the turn is over", async () => {
    const { session, run } = await inTurn();
    await session.send({ input: "two", inputId: ID(2) }, ANN);
    await session.send({ input: "three", inputId: ID(3) }, ANN);
    expect(run.told).toEqual([user(ID(1))]);
    run.print(result());
    await until("the second is written", () => run.told.length === 2);
    run.print(init("s"), echo(ID(2)), result());
    await until("the third is written", () => run.told.length === 3);
    expect(run.told).toEqual([user(ID(1)), user(ID(2)), user(ID(3))]);
  });

  it("[I4] a steering input goes into the open turn, before the queue", async () => {
    const { session, run } = await inTurn();
    await session.send({ input: "later", inputId: ID(2) }, ANN);
    await session.send({ input: "now", inputId: ID(3), deliver: "steer" }, ANN);
    await until("it is written", () => run.told.length === 2);
    expect(run.told[1]).toEqual(user(ID(3)));
  });

  it("[I8] an input is withdrawn while it is queued, not afterwards", async () => {
    const { session, run } = await inTurn();
    await session.send({ input: "two", inputId: ID(2) }, ANN);
    await session.withdraw(ID(2), ANN);
    await expect(session.withdraw(ID(1), ANN)).rejects.toMatchObject({ code: "conflict" });
    await expect(session.withdraw(ID(9), ANN)).rejects.toMatchObject({ code: "not_found" });
    run.print(result());
    await until("the turn is over", () => session.state.turn === null);
    expect(run.told).toEqual([user(ID(1))]);
  });

  it("[I12] a queued input is edited and moved, once, and the old one is never handed over", async () => {
    const { session, run } = await inTurn();
    await session.send({ input: "two", inputId: ID(2) }, ANN);
    await session.send({ input: "three", inputId: ID(3) }, ANN);
    const first = await session.replace(ID(3), { inputId: ID(4), input: "3!", before: ID(2) }, ANN);
    expect(await session.replace(ID(3), { inputId: ID(4), before: null }, ANN)).toEqual(first);
    await expect(session.replace(ID(1), { inputId: ID(5) }, ANN)).rejects.toMatchObject({
      code: "conflict",
    });
    run.print(result());
    await until("one is written", () => run.told.length === 2);
    run.print(init("s"), echo(ID(4)), result());
    await until("the other is written", () => run.told.length === 3);
    expect(run.told).toEqual([user(ID(1)), user(ID(4)), user(ID(2))]);
    expect(run.told[1]).toMatchObject({ message: { content: [{ type: "text", text: "3!" }] } });
  });

  it("[I12] putting a queue in order that waits does not set it going", async () => {
    const { session, run } = await inTurn();
    await session.send({ input: "two", inputId: ID(2) }, ANN);
    session.stop("turn", ANN);
    run.print(result({ terminal_reason: "aborted_streaming", is_error: true }));
    await until("it stopped", () => session.state.turn === null);
    await session.replace(ID(2), { inputId: ID(3), input: "two!" }, ANN);
    expect(session.state.queueHeld).toBe(true);
    expect(session.state.inputs.at(-1)).toMatchObject({ inputId: ID(3), phase: "queued" });
    expect(run.told.filter((line) => line["type"] === "user")).toHaveLength(1);
  });

  it("[A9] a send to a dead process starts a run that resumes the transcript", async () => {
    const { house, session, run } = await idle();
    run.die({ code: 137, signal: "SIGKILL" });
    await until("the end is in the log", async () => (await house.types()).includes("run:end"));
    await session.send({ input: "on", inputId: ID(2) }, ANN);
    await until("a second run", () => house.cli.spawns.length === 2);
    expect(house.cli.spawns[1]).toMatchObject({ resume: true, resumeId: run.config.resumeId });
    await until("it is written", () => house.cli.last.told.length === 1);
    expect(run.released).toBe(true);
  });

  it("[S8] a run that never saw an init is not resumed", async () => {
    const house = new House();
    const session = await house.session();
    await session.start(ANN);
    await until("it is ready", () => session.state.run?.ready);
    house.cli.last.die({ code: 1 });
    await until("it is over", () => session.state.run?.alive === false);
    await session.send({ input: "go", inputId: ID(1) }, ANN);
    await until("a second run", () => house.cli.spawns.length === 2);
    expect(house.cli.spawns[1]?.resume).toBe(false);
    expect(house.cli.spawns[1]?.resumeId).not.toBe(house.cli.spawns[0]?.resumeId);
  });

  it("[S2] a promptless session is idle and alive, not starting", async () => {
    const house = new House();
    const session = await house.session();
    await session.start(ANN);
    await until("it is ready", () => session.state.run?.ready);
    expect(await house.status()).toBe("idle");
    expect(deriveProcessAlive(session.state)).toBe(true);
  });

  it("[A10] a start that fails says why, keeps the input, and does not try again by itself", async () => {
    const house = new House();
    const session = await house.session();
    house.cli.failNext = new SpawnError("cli_missing", "There is no claude here.");
    await session.send({ input: "go", inputId: ID(1) }, ANN);
    await until("the end is in the log", async () => (await house.types()).includes("run:end"));
    expect(await house.types()).toEqual([
      "input:queued",
      "config:changed",
      "run:start",
      "run:error",
      "run:end",
    ]);
    expect(session.state.lastError?.message).toBe("There is no claude here.");
    expect(session.state.inputs[0]?.phase).toBe("queued");
    expect(house.cli.spawns).toHaveLength(0);
    await session.send({ input: "and now", inputId: ID(2) }, ANN);
    await until(
      "both are handed over in order",
      () => house.cli.runs.size > 0 && house.cli.last.told.length > 0,
    );
    expect(house.cli.last.told).toEqual([user(ID(1))]);
  });
});

describe("the store is down", () => {
  it("[A8] acts are refused before anything is appended", async () => {
    const { house, session } = await idle();
    const { seq } = session.state;
    house.storage.fail();
    await expect(session.send({ input: "x", inputId: ID(2) }, ANN)).rejects.toMatchObject({
      code: "store_unavailable",
    });
    expect(session.state.seq).toBe(seq);
  });

  it("[A8] one in flight answers outcome_unknown, and the same id later tells", async () => {
    const { house, session } = await idle();
    house.storage.hold();
    const sending = session.send({ input: "x", inputId: ID(2) }, ANN);
    await until("it waits for its commit", () => house.timers.size === 1);
    for (const fire of house.timers) fire();
    await expect(sending).rejects.toMatchObject({ code: "outcome_unknown" });
    house.storage.release();
    const again = await session.send({ input: "x", inputId: ID(2) }, ANN);
    expect(again.inputId).toBe(ID(2));
    expect((await house.types()).filter((type) => type === "input:queued")).toHaveLength(2);
  });

  it("[A7] a stop reaches the process at once, and the log when it can", async () => {
    const { house, session, run } = await inTurn();
    house.storage.fail();
    expect(session.stop("turn", ANN)).toEqual({ scope: "turn" });
    await until("the interrupt is written", () => run.told.length === 2);
    expect(run.told[1]).toMatchObject({ request: { subtype: "interrupt" } });
    expect(await house.types()).not.toContain("stop:requested");
    house.storage.recover();
    await until("it is logged", async () => (await house.types()).includes("stop:requested"));
  });
});

describe("stopping", () => {
  it("[A7] the first stop interrupts and keeps the process; the queue then waits for a person", async () => {
    const { house, session, run } = await inTurn();
    await session.send({ input: "two", inputId: ID(2) }, ANN);
    session.stop("turn", ANN);
    expect(await house.status()).toBe("stopping");
    run.print(
      result({
        subtype: "error_during_execution",
        is_error: true,
        terminal_reason: "aborted_streaming",
      }),
    );
    await until("it stopped", async () => (await house.status()) === "idle");
    expect(run.exit).toBeNull();
    expect(session.state.inputs.find((input) => input.inputId === ID(1))?.phase).toBe(
      "interrupted",
    );
    expect(run.told.filter((line) => line["type"] === "user")).toHaveLength(1);
    await session.send({ input: "three", inputId: ID(3) }, ANN);
    await until("the queue moves again", () => run.told.some((line) => line["uuid"] === ID(2)));
  });

  it("[A7] what was steered in and not taken is called back before the interrupt", async () => {
    const { session, run } = await inTurn();
    await session.send({ input: "now", inputId: ID(2), deliver: "steer" }, ANN);
    await until("it is sent", () =>
      session.state.inputs.some((input) => input.inputId === ID(2) && input.phase === "sent"),
    );
    session.stop("turn", ANN);
    await until("both are written", () => run.told.length === 4);
    expect(run.told[2]).toMatchObject({
      request: { subtype: "cancel_async_message", message_uuid: ID(2) },
    });
    expect(run.told[3]).toMatchObject({ request: { subtype: "interrupt" } });
    run.print(reply(`cancel-${ID(2)}`, { cancelled: true }));
    await until("it is cancelled", () =>
      session.state.inputs.some(
        (input) => input.inputId === ID(2) && input.cancelReason === "stopped",
      ),
    );
  });

  it("[A7] a second stop of an unanswered turn ends the run, and the log says run:end when it is gone", async () => {
    const { house, session, run } = await inTurn();
    session.stop("turn", ANN);
    expect(session.stop("turn", ANN)).toEqual({ scope: "run" });
    await until("it is over", async () => (await house.types()).includes("run:end"));
    expect(run.exit?.cause).toBe("stopped");
    expect((await house.events()).at(-1)).toMatchObject({
      type: "run:end",
      data: { reason: "stopped" },
    });
  });

  it("there is nothing to stop in an idle session", async () => {
    const { session } = await idle();
    const { seq } = session.state;
    expect(session.stop("turn", ANN)).toEqual({ scope: null });
    expect(session.state.seq).toBe(seq);
  });
});
