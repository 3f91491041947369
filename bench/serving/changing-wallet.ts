import { connect, type Socket } from 'node:net';

/**
 * A wallet that replaces one coin after another by a new coin of the same amount. Its content changes, its
 * size does not.
 */
export class ChangingWallet {
  readonly #url: URL;
  #socket: Socket | null = null;
  readonly #party: string;
  /** Contract numbers of the wallet's coins; the first one is replaced next. */
  readonly #coins: number[];

  private constructor(url: string, party: string, coins: number[]) {
    this.#url = new URL(url);
    this.#party = party;
    this.#coins = coins;
  }

  /** Opens the wallet of a user of a development server. */
  static async of(url: string, authorization: string): Promise<ChangingWallet> {
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`${url}/v0/wallet/${path}`, { headers: { authorization } })).json();
    const { party_id } = (await get('user-status')) as { party_id: string };
    const { amulets } = (await get('amulets')) as { amulets: { contract: { contract: { contract_id: string } } }[] };
    const coins = amulets.map(({ contract }) => Number(`0x${contract.contract.contract_id.slice(-64)}`));
    return new ChangingWallet(url, party_id, coins);
  }

  /**
   * Replaces a coin. Resolves when the log contains the update. Reads only what it needs of the answer: `fetch` takes longer than the
   * server, which waits meanwhile.
   */
  async change(): Promise<void> {
    const command = { type: 'MergeHoldings', owner: this.#party, inputs: [this.#coins.shift()] };
    const answer = await this.#post('/dev/submit', JSON.stringify({ actAs: [this.#party], command }));
    const created = /"created":\[.*\]/.exec(answer)?.[0] ?? '';
    for (const [, id] of created.matchAll(/"template":"Holding","id":(\d+)/g)) this.#coins.push(Number(id));
    if (!answer.startsWith('HTTP/1.1 200') || created === '') throw new Error(`a coin was not replaced: ${answer}`);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #post(path: string, body: string): Promise<string> {
    const { hostname, port, host } = this.#url;
    // The server closes a connection that was idle for some seconds.
    if (!this.#socket?.writable) this.#socket = connect({ port: Number(port), host: hostname, noDelay: true });
    const socket = this.#socket;
    const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json'];
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    return new Promise((resolve, reject) => {
      let text = '';
      const closed = (): void => reject(new Error('the server closed the connection of a change'));
      const read = (chunk: Buffer): void => {
        text += chunk.toString('latin1');
        const bodyAt = text.indexOf('\r\n\r\n') + 4;
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
        if (bodyAt < 4 || !(text.length >= bodyAt + length)) return;
        socket.off('data', read).off('error', reject).off('close', closed);
        resolve(text);
      };
      socket.on('data', read).once('error', reject).once('close', closed);
    });
  }
}
