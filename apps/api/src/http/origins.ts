/**
 * Which names this installation is reached by. With LODGE_PUBLIC_URL exactly that origin; on
 * loopback any of its names, with the port the request came to.
 */
export type Origins = {
  isKnownHost(host: string | undefined): boolean;
  isOwn(origin: string | undefined, host: string | undefined): boolean;
};

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export function createOrigins(publicUrl: URL | null, extraHosts: readonly string[] = []): Origins {
  if (publicUrl !== null) {
    // Health checks and the runner on the same host may come by a loopback name.
    const hosts = new Set([publicUrl.host, ...extraHosts]);
    return {
      isKnownHost: (host) =>
        host !== undefined && (hosts.has(host.toLowerCase()) || isLoopbackHost(host)),
      isOwn: (origin) => origin === publicUrl.origin,
    };
  }
  return {
    isKnownHost: (host) => host !== undefined && isLoopbackHost(host),
    isOwn: (origin, host) => {
      if (origin === undefined || host === undefined) return false;
      const port = /:(\d+)$/.exec(host)?.[1];
      return LOOPBACK_NAMES.some(
        (name) => origin === `http://${name}${port === undefined ? "" : `:${port}`}`,
      );
    },
  };
}

function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  return LOOPBACK_NAMES.includes(name);
}
