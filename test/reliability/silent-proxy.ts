import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy before a database that can go silent: connections stay open, and no byte passes. */
export class SilentProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  #isSilent = false;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    // Cast: a server that listens on a port has such an address.
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param path socket of the database */
  static async start(path: string): Promise<SilentProxy> {
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ path, allowHalfOpen: true });
      proxy.#pass(near, far);
      proxy.#pass(far, near);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new SilentProxy(server, sockets);
    return proxy;
  }

  addressOf(address: string): string {
    const through = new URL(address);
    through.searchParams.delete('host');
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.href;
  }

  silence(): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Passes on the bytes that were held back, also those of connections that their client has given up. */
  speak(): void {
    this.#isSilent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (bytes) => void to.write(bytes));
    from.on('end', () => void to.end());
    from.on('error', () => void to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroySoon();
    });
    if (this.#isSilent) from.pause();
  }
}
