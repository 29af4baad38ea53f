/**
 * The one door through which markup and scripts reach the page: templates that the compiler made
 * from our own components, and workers of our own. Everything else is text. The policy is in nobody
 * else's hands.
 */
import { setTrustedTypesPolicy } from "solid-js/web";

type Policy = Parameters<typeof setTrustedTypesPolicy>[0] & {
  readonly createScriptURL?: (url: string) => unknown;
};
type TrustedTypesHost = {
  readonly trustedTypes?: {
    readonly createPolicy: (
      name: string,
      rules: {
        readonly createHTML: (html: string) => string;
        readonly createScriptURL: (url: string) => string;
      },
    ) => Policy;
  };
};

let policy: Policy | null = null;

export function allowTemplates(): void {
  const { trustedTypes } = globalThis as TrustedTypesHost;
  if (trustedTypes === undefined) return;
  policy = trustedTypes.createPolicy("solid", {
    createHTML: (html) => html,
    createScriptURL: requireOwnScript,
  });
  setTrustedTypesPolicy(policy);
}

/** The address of a worker that the bundler made, as the browser wants it. Throws on any other. */
export function trustScript(url: string): string {
  // Typed as what every API that takes it is typed with.
  return (policy?.createScriptURL?.(url) ?? requireOwnScript(url)) as string;
}

function requireOwnScript(url: string): string {
  const { origin } = new URL(url, location.href);
  if (origin !== location.origin) throw new TypeError(`not a script of ours: ${url}`);
  return url;
}
