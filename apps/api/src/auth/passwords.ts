/**
 * Passwords: argon2id, a few at a time, so that logging in cannot starve everything else.
 */
import { hash, verify, type Options } from "@node-rs/argon2";
import { HttpError } from "../http/http-error.ts";

/** 64 MiB, 3 passes: about 130 ms of one core. */
const COST: Options = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const AT_ONCE = 4;
const WAITING = 32;

export type Passwords = {
  hash(password: string): Promise<string>;
  /** `stored` null (no such user): takes as long as any other, and is false. */
  verify(stored: string | null, password: string): Promise<boolean>;
};

export function createPasswords(cost: Options = COST): Passwords {
  let running = 0;
  const queue: Array<() => void> = [];
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (queue.length >= WAITING)
        throw new HttpError("too_many_requests", "Too many people are signing in at once.", {
          "retry-after": "2",
        });
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    running++;
    try {
      return await work();
    } finally {
      running--;
      queue.shift()?.();
    }
  };
  const dummy = hash("nobody has this password", cost);
  return {
    hash: (password) => limited(() => hash(password, cost)),
    verify: (stored, password) =>
      limited(async () => {
        const known = stored ?? (await dummy);
        // A hash that cannot be read is no reason to let anybody in, nor to fall over.
        const matches = await verify(known, password).catch(() => false);
        return stored !== null && matches;
      }),
  };
}
