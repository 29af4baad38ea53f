import { z } from "zod";

/**
 * A login as typed: canonical form is NFKC, lower case; only these characters, so that two logins
 * never look alike.
 */
export const loginSchema = z
  .string()
  .transform((login) => login.normalize("NFKC").trim().toLowerCase())
  .pipe(
    z.string().regex(/^[a-z0-9][a-z0-9._-]{1,63}$/, "2 to 64 of a-z, 0-9, dot, dash, underscore"),
  );
/** Used exactly as received; 12 to 128 characters when it is being set. */
export const newPasswordSchema = z.string().min(12).max(128);
export const passwordSchema = z.string().min(1).max(128);

export const loginBody = z.strictObject({ login: z.string().max(200), password: passwordSchema });
export const setupBody = z.strictObject({
  secret: z.string().min(1).max(200),
  login: loginSchema,
  password: newPasswordSchema,
  name: z.string().trim().min(1).max(100).optional(),
});
export const changePasswordBody = z.strictObject({
  current: passwordSchema,
  password: newPasswordSchema,
});

export type LoginBody = z.infer<typeof loginBody>;
export type SetupBody = z.infer<typeof setupBody>;
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;

export type Me = {
  readonly id: string;
  readonly login: string;
  readonly name: string;
  readonly role: "member" | "admin";
  /** How runs are kept apart on this installation; shown on every page when it is "none". */
  readonly isolation: "accounts" | "none";
};
