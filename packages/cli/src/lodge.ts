/** What the `lodge` command does: its verbs, its signals, its one-sentence errors. */
import { Complaint } from "./complaint.ts";
import { demo } from "./demo.ts";
import { HELP } from "./help.ts";
import { type Programs, version } from "./layout.ts";
import { type Environment, parseSettings } from "./settings.ts";
import { up } from "./up.ts";

/** npm passes Ctrl-C on to its child, which the terminal has told already: that is one wish, not two. */
const SAME_WISH_MS = 500;

export interface Surroundings {
  readonly environment: Environment;
  readonly cwd: string;
  readonly programs: Programs;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Subscribes to whatever asks us to end: Ctrl-C, `kill`, the terminal going away. */
  readonly onSignal: (listener: () => void) => void;
}

/** Returns the exit code. */
export async function lodge(verb: string | undefined, surroundings: Surroundings): Promise<number> {
  try {
    await dispatch(verb ?? "help", surroundings);
    return 0;
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    surroundings.complain(`lodge: ${error.message}`);
    return 1;
  }
}

async function dispatch(verb: string, surroundings: Surroundings): Promise<void> {
  const { environment, cwd, programs, say } = surroundings;
  switch (verb) {
    case "up": {
      const settings = parseSettings(environment, cwd);
      return up({ settings, programs, say, onReady: sayReady(say), ...listen(surroundings) });
    }
    case "demo":
      return demo(environment, cwd, {
        programs,
        say,
        onReady: sayReady(say),
        ...listen(surroundings),
      });
    case "version":
    case "--version":
      return say(version());
    case "help":
    case "--help":
      return say(HELP.trimEnd());
    default:
      throw new Complaint(`"${verb}" is no command of lodge; "lodge help" lists them.`);
  }
}

function sayReady(say: (line: string) => void): (url: string) => void {
  return (url) => say(`Lodge is ready at ${url}`);
}

/** The first wish to end is `stop`, a second one is `hurry`. */
function listen({ onSignal }: Surroundings): { stop: AbortSignal; hurry: AbortSignal } {
  const stop = new AbortController();
  const hurry = new AbortController();
  let stoppedAt = 0;
  onSignal(() => {
    const now = performance.now();
    if (stop.signal.aborted && now - stoppedAt > SAME_WISH_MS) hurry.abort();
    if (stop.signal.aborted) return;
    stoppedAt = now;
    stop.abort();
  });
  return { stop: stop.signal, hurry: hurry.signal };
}
