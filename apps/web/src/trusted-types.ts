/**
 * The one door through which markup reaches the page as markup: templates that the compiler made
 * from our own components. Everything else is text. The policy is in nobody else's hands.
 */
import { setTrustedTypesPolicy } from "solid-js/web";

type TrustedTypesHost = {
  readonly trustedTypes?: {
    readonly createPolicy: (
      name: string,
      rules: { readonly createHTML: (html: string) => string },
    ) => Parameters<typeof setTrustedTypesPolicy>[0];
  };
};

export function allowTemplates(): void {
  const { trustedTypes } = globalThis as TrustedTypesHost;
  if (trustedTypes === undefined) return;
  setTrustedTypesPolicy(trustedTypes.createPolicy("solid", { createHTML: (html) => html }));
}
