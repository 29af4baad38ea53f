/**
 * Tasks: what the CLI runs beside its turn. A foreground Bash and a foreground subagent announce
 * themselves as tasks too; only a backgrounded one outlives its turn and is counted. [T5]
 *
 * How backgrounding shows: the tool was called with run_in_background, or the task is updated to
 * it, or the tool's result came while the task still ran (a Bash names it in `backgroundTaskId`).
 * A kind of task this version does not know has no foreground that we know of: it counts.
 */
import type { EventOfType, TaskStatus } from "../event.ts";
import type { TaskState } from "../state.ts";
import { arrange, type Draft, isOfLiveRun, type Step } from "./draft.ts";
import { fieldsOf } from "../fields.ts";

const OPEN_STATUS: ReadonlySet<TaskStatus> = new Set(["running", "pending", "paused"]);
const FOREGROUND_TYPES: ReadonlySet<string> = new Set(["local_bash", "local_agent"]);

const isOpenTask = (task: TaskState): boolean => OPEN_STATUS.has(task.status);
export const isRunningInBackground = (task: TaskState): boolean =>
  task.backgrounded && isOpenTask(task);

function change(
  draft: Draft,
  isMeant: (task: TaskState) => boolean,
  next: Partial<TaskState>,
): void {
  if (!draft.tasks.some((task) => isOpenTask(task) && isMeant(task))) return;
  draft.tasks = arrange(
    draft.tasks.map((task) => (isOpenTask(task) && isMeant(task) ? { ...task, ...next } : task)),
    isOpenTask,
  );
}

export const taskStarted: Step<"task:started"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const { data } = event;
  if (draft.tasks.some((task) => task.taskId === data.taskId && isOpenTask(task))) return;
  const tool = draft.openTools.find((open) => open.toolUseId === data.toolUseId);
  draft.tasks = arrange(
    [
      ...draft.tasks.filter((task) => task.taskId !== data.taskId),
      {
        taskId: data.taskId,
        taskType: data.taskType,
        toolUseId: data.toolUseId,
        description: data.description,
        startedAt: event.at,
        status: "running",
        backgrounded:
          !FOREGROUND_TYPES.has(data.taskType) || tool?.input?.["run_in_background"] === true,
        lastToolName: null,
      },
    ],
    isOpenTask,
  );
};

export const taskUpdated: Step<"task:updated"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const { taskId, status, backgrounded, description, lastToolName } = event.data;
  change(draft, (task) => task.taskId === taskId, {
    ...(status !== undefined && { status }),
    ...(backgrounded !== undefined && { backgrounded }),
    ...(description !== undefined && { description }),
    ...(lastToolName !== undefined && { lastToolName }),
  });
};

export const taskNotification: Step<"task:notification"> = (draft, event) => {
  if (!isOfLiveRun(draft, event)) return;
  const { taskId, status } = event.data;
  change(draft, (task) => task.taskId === taskId, { status });
};

/** A tool's result while its task runs on: it went to the background. */
export function backgroundByResult(draft: Draft, event: EventOfType<"result">): void {
  if (draft.tasks.length === 0) return;
  const named = fieldsOf(event.data.detail)["backgroundTaskId"];
  const isMeant = (task: TaskState): boolean =>
    task.taskId === named ||
    // A foreground Bash may print its result before its own notification: only its own word counts.
    // An interrupt gives running tools an error for a result: that is no background either.
    (task.taskType !== "local_bash" &&
      event.data.blocks.some((block) => block.toolUseId === task.toolUseId && !block.isError));
  change(draft, (task) => !task.backgrounded && isMeant(task), { backgrounded: true });
}

/** What ran in the foreground ended with its turn, whether the CLI said so or not. */
export function endForegroundTasks(draft: Draft): void {
  change(draft, (task) => !task.backgrounded, { status: "stopped" });
}

export function endAllTasks(draft: Draft): void {
  change(draft, () => true, { status: "stopped" });
}
