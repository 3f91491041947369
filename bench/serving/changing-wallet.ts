/**
 * A wallet that replaces one coin after another by a new coin of the same amount. Its content changes, its
 * size does not.
 */
export class ChangingWallet {
  readonly #url: string;
  readonly #party: string;
  /** Contract numbers of the wallet's coins; the first one is replaced next. */
  readonly #coins: number[];

  private constructor(url: string, party: string, coins: number[]) {
    this.#url = url;
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

  /** Replaces a coin. Resolves when the log contains the update. */
  async change(): Promise<void> {
    const command = { type: 'MergeHoldings', owner: this.#party, inputs: [this.#coins.shift()] };
    const answer = await fetch(`${this.#url}/dev/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actAs: [this.#party], command }),
    });
    if (!answer.ok) throw new Error(`a coin was not replaced: ${await answer.text()}`);
    const { created } = (await answer.json()) as { created: { template: string; id: number }[] };
    for (const { template, id } of created) if (template === 'Holding') this.#coins.push(id);
  }
}
