/** Is a port free, and which one is? Asked by trying, which is the only answer that counts. */
import { type AddressInfo, createServer } from "node:net";
import { Complaint, hasCode, reasonOf } from "./complaint.ts";

/** Resolves to the port, the one that the kernel picked when asked for 0. */
export function tryPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const { port: taken } = server.address() as AddressInfo;
      server.close(() => resolve(taken));
    });
  });
}

export async function requireFreePort(host: string, port: number): Promise<number> {
  try {
    return await tryPort(host, port);
  } catch (error) {
    if (hasCode(error, "EADDRINUSE")) {
      throw new Complaint(
        `Port ${port} on ${host} is taken by another program; stop it, or set LODGE_PORT.`,
      );
    }
    throw new Complaint(`Lodge cannot listen on ${host}, port ${port} (${reasonOf(error)}).`);
  }
}
