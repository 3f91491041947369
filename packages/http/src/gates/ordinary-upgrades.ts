import { IncomingMessage } from 'node:http';

const OFFERED: unique symbol = Symbol('offered');

/**
 * Node emits `upgrade` for every protocol that a client offers, such as `h2c`, and does not read the body then; a server may
 * answer such a request as an ordinary one. Node reads `upgrade` once the headers are known.
 */
export class OrdinaryUpgrades extends IncomingMessage {
  [OFFERED]?: boolean;

  get upgrade(): boolean {
    const { upgrade } = this.headers;
    return Boolean(this[OFFERED]) && (upgrade === undefined || upgrade.toLowerCase() === 'websocket');
  }

  set upgrade(isOffered: boolean) {
    this[OFFERED] = isOffered;
  }
}
