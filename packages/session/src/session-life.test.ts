import { describe, expect, it } from "vitest";
import { ask, result, say, stream } from "./testing/double-cli.ts";
import { ANN, BOB, House, idle, inTurn, until } from "./testing/house.ts";
import { titleFrom } from "./title-from.ts";

const ID = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

describe("prompts", () => {
  it("[P2] the first answer wins and is written once, with the whole input; the second is told", async () => {
    const { house, session, run } = await inTurn();
    run.print(ask("r1", { command: "ls -l", timeout: 5 }), ask("r2"));
    await until("both wait", () => session.state.prompts.length === 2);
    await session.answer("r1", { behavior: "allow" }, ANN);
    await expect(session.answer("r1", { behavior: "deny" }, BOB)).rejects.toMatchObject({
      code: "already_resolved",
    });
    await expect(session.answer("r9", { behavior: "deny" }, BOB)).rejects.toMatchObject({
      code: "not_found",
    });
    await until("it is written", () => run.told.length === 2);
    expect(run.told[1]).toMatchObject({
      type: "control_response",
      response: {
        request_id: "r1",
        response: { behavior: "allow", updatedInput: { command: "ls -l", timeout: 5 } },
      },
    });
    expect(session.state.prompts.map((prompt) => prompt.requestId)).toEqual(["r2"]);
    const resolved = (await house.events()).find((event) => event.type === "permission:resolved");
    expect(resolved?.by).toEqual(ANN);
  });

  it("[P2] of a prompt that was moved to blobs the tool gets the whole", async () => {
    const { session, run } = await inTurn();
    const content = "x".repeat(400_000);
    run.print(ask("r1", { content }));
    await until("it waits", () => session.state.prompts.length === 1);
    await session.answer("r1", { behavior: "allow" }, ANN);
    await until("it is written", () => run.told.length === 2);
    expect(run.told[1]).toMatchObject({ response: { response: { updatedInput: { content } } } });
  });

  it("[P4] a prompt is lost with its process, and a late answer touches nothing", async () => {
    const { house, session, run } = await inTurn();
    run.print(ask("r1"));
    await until("it waits", () => session.state.prompts.length === 1);
    run.die({ code: null, signal: "SIGKILL" });
    await until("it is over", async () => (await house.types()).includes("run:end"));
    const lost = (await house.events()).find((event) => event.type === "permission:resolved");
    expect(lost).toMatchObject({ data: { requestId: "r1", outcome: "lost" }, inferred: true });
    await expect(session.answer("r1", { behavior: "allow" }, ANN)).rejects.toMatchObject({
      code: "already_resolved",
    });
  });
});

describe("after a crash of the engine", () => {
  it("[A5] every line is an event once, and the turn goes on in the same run", async () => {
    const { house, session, run } = await inTurn();
    run.print(say("m1", "one"));
    await until("it is in the log", async () => (await house.types()).includes("content"));
    house.storage.hold();
    run.print(say("m2", "two"));
    await until("it is appended", () => session.state.seq > 6);
    const next = house.crash();
    run.print(say("m3", "three"), result());
    await next.session();
    await until("all of it is there", async () => (await next.types()).includes("turn:end"));
    const texts = (await next.events()).flatMap((event) =>
      event.type === "content"
        ? event.data.blocks.map((block) => (block.type === "text" ? block.text : ""))
        : [],
    );
    expect(texts).toEqual(["one", "two", "three"]);
    expect((await next.events()).map((event) => event.seq)).toEqual(
      (await next.events()).map((_, i) => i + 1),
    );
    expect(house.cli.spawns).toHaveLength(1);
  });

  it("[A4] an answer that was committed and not written is written, one that was is not again", async () => {
    const { house, session, run } = await inTurn();
    run.print(ask("r1"));
    await until("it waits", () => session.state.prompts.length === 1);
    await session.answer("r1", { behavior: "allow" }, ANN);
    await until("it is written", () => run.told.length === 2);
    const next = house.crash();
    await next.session();
    await until("it was looked at", () => next.manager.peek(next.sessionId)?.state.run?.alive);
    run.print(result());
    await until("the turn is over", async () => (await next.types()).includes("turn:end"));
    expect(run.told.filter((line) => line["type"] === "control_response")).toHaveLength(1);
  });

  it("[D4] a message under way is whole for whoever joins: reading begins where it began", async () => {
    const { house, run } = await inTurn();
    run.print(
      say("m0", "before"),
      stream({ type: "message_start", message: { id: "m1" } }),
      stream({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      stream({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "Hello " },
      }),
      ask("r1"),
    );
    await until("the prompt is in the log", async () =>
      (await house.types()).includes("permission:requested"),
    );
    const next = house.crash();
    const session = await next.session();
    run.print(
      stream({
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "world" },
      }),
    );
    await until("it is whole", () => session.log.partial?.blocks[0]?.text === "Hello world");
    expect((await next.types()).filter((type) => type === "permission:requested")).toHaveLength(1);
  });
});

describe("when something of ours breaks", () => {
  it("[A15] a run is taken up again by another driver, and nothing is told twice", async () => {
    const house = new House();
    const session = await house.session();
    const read = house.storage.readProgress.bind(house.storage);
    house.storage.readProgress = () => {
      house.storage.readProgress = read;
      return Promise.reject(new Error("the store did not answer"));
    };
    await session.send({ input: "go", inputId: ID(1) }, ANN);
    await until("it was reported", () => house.errors.length === 1);
    expect(house.cli.runs.size).toBe(0);
    for (const fire of house.timers) fire();
    await until("it is written", () => house.cli.runs.size > 0 && house.cli.last.told.length === 1);
    expect(house.cli.spawns).toHaveLength(1);
  });

  it("[A15] a line that could not be written is written later", async () => {
    const { house, session, run } = await inTurn();
    run.print(ask("r1"));
    await until("it waits", () => session.state.prompts.length === 1);
    run.failNextWrite = new Error("no space");
    await session.answer("r1", { behavior: "allow" }, ANN);
    await until("it was reported", () => house.errors.length === 1);
    expect(run.told).toHaveLength(1);
    for (const fire of house.timers) fire();
    await until("it is written", () => run.told.length === 2);
  });
});

describe("a store with much to write", () => {
  it("[A16] is waited for by each session for itself: another's trouble stops nobody", async () => {
    const { house, session, run } = await inTurn();
    Object.defineProperty(house.storage, "backlogBytes", { value: Number.MAX_SAFE_INTEGER });
    house.storage.flush = () => Promise.reject(new Error("another session is stuck"));
    house.storage.hold();
    run.print(say("m1", "one"), say("m2", "two"));
    const before = session.state.seq;
    await until("the first is appended", () => session.state.seq === before + 1);
    house.storage.release();
    await until("the second is, once the first is durable", () => session.state.seq === before + 2);
    expect(house.errors).toEqual([]);
  });
});

describe("a name", () => {
  it("[A14] is taken from the first message, unless there is one", async () => {
    const { session } = await inTurn();
    expect(session.state.config.title).toBe("go");
    await session.configure({ title: "Chosen" }, ANN);
    await session.send({ input: "something else", inputId: ID(2) }, ANN);
    expect(session.state.config.title).toBe("Chosen");
  });

  it("[A14] is one line, whole characters, and no control characters", () => {
    expect(titleFrom("\n  \u0007Hello\tworld \nmore")).toBe("Hello world");
    expect(titleFrom("👩".repeat(80))).toBe(`${"👩".repeat(40)}…`);
    expect(titleFrom(" \n\u0000")).toBeNull();
  });
});

describe("settings", () => {
  it("[C4] a change is committed, told to the live process, and kept for the next run", async () => {
    const { house, session, run } = await idle();
    await session.configure({ permissionMode: "plan", model: "haiku" }, ANN);
    await until("both are written", () => run.told.length === 3);
    expect(run.told.slice(1)).toEqual([
      expect.objectContaining({ request: { subtype: "set_permission_mode", mode: "plan" } }),
      expect.objectContaining({ request: { subtype: "set_model", model: "haiku" } }),
    ]);
    run.die();
    await until("it is over", () => session.state.run?.alive === false);
    await session.start(ANN);
    await until("a second run", () => house.cli.spawns.length === 2);
    expect(house.cli.spawns[1]).toMatchObject({ permissionMode: "plan", model: "haiku" });
  });

  it("[A11] trust takes a new run: an idle one is ended, and the next is started with it", async () => {
    const { house, session, run } = await idle();
    await session.configure({ trust: true }, ANN);
    await until("the old run is ended", () => run.exit !== null);
    await until("it is over", () => session.state.run?.alive === false);
    await session.send({ input: "go", inputId: ID(2) }, ANN);
    await until("a second run", () => house.cli.spawns.length === 2);
    expect(house.cli.spawns[1]).toMatchObject({ trust: true, resume: true });
  });

  it("[C6] bypass is not revived by a run that nobody present has asked for", async () => {
    const house = new House();
    house.record = { ...house.record, allowBypass: true };
    const { session, run } = await idle(house);
    await session.configure({ permissionMode: "bypassPermissions" }, ANN);
    run.stubborn = true;
    session.stop("run", ANN);
    await session.send({ input: "after the stop", inputId: ID(2) }, ANN);
    run.die({ cause: "stopped" });
    // The queue started this one by itself.
    await until("a second run", () => house.cli.spawns.length === 2);
    expect(house.cli.spawns[1]?.permissionMode).toBe("default");
  });
});
