import {
  Amount,
  Duration,
  Instant,
  isKnownParty,
  PartyId,
  rulesOf,
  settingsOf,
  TEST_PARTIES,
  type Command,
  type Contract,
} from '@coinlab/core';
import { PREAPPROVAL_DEFAULTS } from '@coinlab/automation';
import type { LedgerRight } from '@coinlab/core/contracts';
import { inputsOfWalletTransfer, newestUsableRound, preapprovalFee, preapprovalOf } from '@coinlab/core/rules';
import { describeRejection } from '../gates/status.js';
import type { Host } from '../host/host.js';
import { installOf, localParty } from '../host/hosted-parties.js';
import type { Validator } from '../host/validators.js';
import { REASON_KEY } from '../wire/meta-keys.js';
import { notOneOf } from '../field-fault.js';
import { BadStart } from './start-fault.js';
import { GENERAL_RIGHTS, PARTY_RIGHTS, type Start } from './start-schema.js';

type Path = readonly PropertyKey[];

export async function applyStart(start: Start, host: Host, validators: readonly Validator[]): Promise<void> {
  new Starter(host, validators).run(start);
  await host.settled();
}

class Starter {
  readonly #host: Host;
  readonly #validators: readonly Validator[];
  readonly #parties: Map<string, PartyId> = new Map();

  constructor(host: Host, validators: readonly Validator[]) {
    this.#host = host;
    this.#validators = validators;
    for (const { name, validator, walletUsers } of validators)
      for (const known of [name, ...walletUsers]) this.#parties.set(known, validator);
    for (const name of TEST_PARTIES)
      for (const { validator } of validators) {
        const install = installOf(host.ahead, validator, name);
        if (install) this.#parties.set(name, install.endUser);
      }
  }

  run({ parties, users, offers }: Start): void {
    const entries = parties.map((entry, i) => [entry, this.#addParty(entry, ['parties', i])] as const);
    for (const [i, [entry, party]] of entries.entries()) this.#fill(entry, party, ['parties', i]);
    for (const [i, user] of users.entries()) this.#addUser(user, ['users', i]);
    for (const [i, offer] of offers.entries()) this.#addOffer(offer, ['offers', i]);
  }

  #addParty({ name, validator: at, wallet }: Start['parties'][number], path: Path): PartyId {
    const { validator, participantId } = this.#validatorNamed(at, [...path, 'validator']);
    const state = this.#host.ahead;
    const existing = installOf(state, validator, name)?.endUser;
    const party = existing ?? localParty(name, participantId);
    if (!isKnownParty(state, party))
      this.#submit([...path, 'name'], { type: 'AllocateParty', party, displayName: name }, party);
    if (wallet && !existing) {
      const install = { validator, endUserName: name, endUser: party };
      this.#submit([...path, 'name'], { type: 'OnboardUser', ...install }, validator, party);
    }
    this.#parties.set(name, party);
    return party;
  }

  #fill(entry: Start['parties'][number], party: PartyId, path: Path): void {
    for (const [i, { count, amount }] of entry.coins.entries())
      for (let coin = 0; coin < count; coin++) this.#tap([...path, 'coins', i], party, amount);
    const { dso } = settingsOf(this.#host.ahead);
    if (entry.featuredApp)
      this.#submit([...path, 'featuredApp'], { type: 'GrantFeaturedAppRight', provider: party }, dso);
    if (entry.preapproval) this.#addPreapproval(entry.validator, party, [...path, 'preapproval']);
  }

  #addPreapproval(at: string | undefined, receiver: PartyId, path: Path): void {
    const { validator: provider } = this.#validatorNamed(at, path);
    const [state, now] = [this.#host.ahead, this.#host.now()];
    if (preapprovalOf(state, receiver, now)) return;
    const { lifetime } = PREAPPROVAL_DEFAULTS;
    const price = newestUsableRound(state, now)?.amuletPrice;
    const feeUsd = rulesOf(state)?.config.transferPreapprovalFeeUsd;
    const fee = price === undefined || feeUsd === undefined ? Amount.zero : preapprovalFee(lifetime, feeUsd, price);
    const create = { type: 'CreatePreapproval', receiver, provider, expiresAt: Instant.plus(now, lifetime) } as const;
    // The validator pays with coin that it gets for this.
    const inputs = fee === 0n ? [] : [this.#tap(path, provider, fee)];
    const checked = this.#host.check({ ...create, inputs }, { now, actAs: [receiver, provider] });
    if (!checked.ok && checked.error.code === 'INSUFFICIENT_FUNDS')
      inputs.push(this.#tap(path, provider, checked.error.missing));
    this.#submit(path, { ...create, inputs }, receiver, provider);
  }

  #addUser({ name, validator: at, primaryParty, rights }: Start['users'][number], path: Path): void {
    const { validator: operator, participantId: participant } = this.#validatorNamed(at, [...path, 'validator']);
    const primary = primaryParty === undefined ? null : this.#partyNamed(primaryParty, [...path, 'primaryParty']);
    const granted = rights.map((text, i) => this.#rightIn(text, [...path, 'rights', i]));
    const user = { operator, participant, userId: name, primaryParty: primary, rights: granted };
    this.#submit([...path, 'name'], { type: 'CreateLedgerUser', ...user }, operator);
  }

  #rightIn(text: string, path: Path): LedgerRight {
    const [kind = '', name, ...more] = text.split(' ');
    if (Object.hasOwn(GENERAL_RIGHTS, kind) && name === undefined)
      // Cast: the check above.
      return { kind: GENERAL_RIGHTS[kind as keyof typeof GENERAL_RIGHTS] };
    if (Object.hasOwn(PARTY_RIGHTS, kind) && name !== undefined && more.length === 0)
      // Cast: the check above.
      return { kind: PARTY_RIGHTS[kind as keyof typeof PARTY_RIGHTS], party: this.#partyNamed(name, path) };
    const forms = [...Object.keys(GENERAL_RIGHTS), ...Object.keys(PARTY_RIGHTS).map((one) => `${one} PARTY`)];
    throw new BadStart([notOneOf(path, text, `one of ${forms.join(', ')}`, forms)]);
  }

  #addOffer({ from, to, amount, description, expiresIn }: Start['offers'][number], path: Path): void {
    const sender = this.#partyNamed(from, [...path, 'from']);
    const receiver = this.#partyNamed(to, [...path, 'to']);
    const [state, now] = [this.#host.ahead, this.#host.now()];
    const inputs = inputsOfWalletTransfer(state, sender, now);
    const executeBefore = Instant.plus(now, Duration.of(expiresIn));
    const meta: Readonly<Record<string, string>> = description === '' ? {} : { [REASON_KEY]: description };
    this.#submit(path, { type: 'CreateOffer', sender, receiver, amount, executeBefore, inputs, meta }, sender);
  }

  #tap(path: Path, receiver: PartyId, amount: Amount): Contract['id'] {
    const [coin] = this.#submit(path, { type: 'Tap', receiver, amount }, receiver);
    if (!coin) throw new Error('a tap creates coin');
    return coin.id;
  }

  #submit(path: Path, command: Command, ...actAs: readonly PartyId[]): readonly Contract[] {
    const decided = this.#host.submitAhead(command, { now: this.#host.now(), actAs });
    if (!decided.ok) throw new BadStart([{ path, reason: describeRejection(decided.error) }]);
    return decided.value.update.created;
  }

  #validatorNamed(name: string | undefined, path: Path): Validator {
    const found = this.#validators.find((one) => name === undefined || one.name === name);
    if (found) return found;
    const names = this.#validators.map((one) => one.name);
    throw new BadStart([notOneOf(path, name ?? '', 'the name of a validator', names)]);
  }

  #partyNamed(name: string, path: Path): PartyId {
    const party = this.#parties.get(name) ?? PartyId.parse(name);
    if (typeof party === 'string') return party;
    if (party.ok) return party.value;
    throw new BadStart([notOneOf(path, name, 'the name of a party, or a party id', [...this.#parties.keys()])]);
  }
}
