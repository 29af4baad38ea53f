import { processAdapterContract } from "./process-adapter-contract.ts";
import { ScriptedAdapter } from "./scripted-adapter.ts";
import { buildSpawnConfig } from "./build-event.ts";

processAdapterContract("scripted, in memory", async (script) => {
  const adapter = new ScriptedAdapter(() => script);
  const config = buildSpawnConfig();
  return {
    adapter,
    config,
    received: async () => adapter.runs.get(config.runId)?.journal ?? [],
    reopen: async () => new ScriptedAdapter(() => script, adapter.runs),
    dispose: async () => undefined,
  };
});
