import { IncomingMessage } from 'node:http';

const OFFERED: unique symbol = Symbol('offered');

/**
 * A request that leaves HTTP only for a websocket. For every other protocol that a client offers, such as `h2c`, Node
 * would emit `upgrade` and not read the body, although a server may answer such a request as an ordinary one. Node
 * reads the property `upgrade` once the headers are known.
 */
export class OrdinaryUpgrades extends IncomingMessage {
  [OFFERED]?: boolean;

  get upgrade(): boolean {
    if (!this[OFFERED]) return false;
    const { upgrade } = this.headers;
    return upgrade === undefined || upgrade.toLowerCase() === 'websocket';
  }

  set upgrade(isOffered: boolean) {
    this[OFFERED] = isOffered;
  }
}
