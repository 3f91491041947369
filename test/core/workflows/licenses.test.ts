import { allOf, faucetStatisticsOf, scanFaucetStatistics } from '@coinlab/core/views';
import { licenseOf, roundToRecord } from '@coinlab/core/rules';
import { Round, type Command, type Instant, type PartyId, type ProfileName } from '@coinlab/core';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, dso, second, worldOf, type World } from '../ledger-fixture.ts';
import { precedence } from '../precedence.ts';

const validator = alice;
const sponsor = carol;
const hour = 3600;
const record: Command = { type: 'RecordValidatorLivenessActivity', validator };
const grant: Command = { type: 'GrantValidatorLicense', validator, sponsor };

function licensed(profile: ProfileName = 'feeless'): World {
  const world = worldOf({ profile });
  world.submit(grant, dso);
  return world;
}

function recordFor(round: number): Command {
  return { type: 'RecordValidatorLivenessActivity', validator, round: Round.of(round) };
}

describe('a validator license', () => {
  it('is granted by the DSO with a sponsor, with or without metadata', () => {
    const world = licensed();
    expect(licenseOf(world.state, validator)).toMatchObject({
      sponsor,
      faucetState: null,
      metadata: null,
      lastActiveAt: world.now,
    });
    const described: Command = { ...grant, validator: bob, version: '0.5.10', contactPoint: 'ops@example.org' };
    world.accepted('ValidatorLicenseGranted', described, dso);
    expect(licenseOf(world.state, bob)?.metadata).toEqual({
      lastUpdatedAt: world.now,
      version: '0.5.10',
      contactPoint: 'ops@example.org',
    });
  });

  it.each([
    ['WithdrawValidatorLicense', 'ValidatorLicenseWithdrawn', dso],
    ['CancelValidatorLicense', 'ValidatorLicenseCancelled', validator],
  ] as const)('ends by %s, and can be granted again', (type, kind, actor) => {
    const world = licensed();
    const { detail } = world.accepted(kind, { type, validator, reason: 'moved' }, actor);
    expect(detail).toMatchObject({ validator, reason: 'moved' });
    expect(licenseOf(world.state, validator)).toBeNull();
    world.refused('CONTRACT_NOT_FOUND', record, validator);
    world.submit(grant, dso);
  });

  it('has metadata that change at most once an hour', () => {
    const world = licensed();
    const update = (version: string): Command => ({
      type: 'UpdateLicenseMetadata',
      validator,
      version,
      contactPoint: 'me',
    });
    world.accepted('LicenseMetadataUpdated', update('1'), validator);
    world.wait(hour - 1);
    expect(world.refused('TOO_SOON', update('2'), validator).notBefore).toBe(second(hour));
    world.wait(1).accepted('LicenseMetadataUpdated', update('2'), validator);
    expect(licenseOf(world.state, validator)).toMatchObject({
      metadata: { version: '2', contactPoint: 'me', lastUpdatedAt: world.now },
      lastActiveAt: world.now,
    });
    world.wait(hour).refused('INVALID_ARGUMENT', update('2'), validator);
  });

  it('has the time of the last activity report, which changes at most once an hour', () => {
    const world = licensed();
    const report: Command = { type: 'ReportActive', validator };
    world.wait(hour - 1).refused('TOO_SOON', report, validator);
    world.wait(1).accepted('ActivityReported', report, validator);
    expect(licenseOf(world.state, validator)?.lastActiveAt).toBe(world.now);
  });
});

describe('liveness', () => {
  it.each<ProfileName>(['legacy-fees', 'feeless', 'feeless-24h'])(
    'is recorded once in each open round, in the profile %s',
    (name) => {
      const world = licensed(name);
      const { detail } = world.accepted('LivenessRecorded', recordFor(0), validator);
      expect(detail).toMatchObject({ validator, round: 0, missed: 0, minted: 0n });
      expect([...allOf(world.state, 'ValidatorLivenessActivityRecord')]).toMatchObject([{ validator, round: 0 }]);
      world.refused('ALREADY_EXISTS', recordFor(0), validator);
      world.accepted('LivenessRecorded', recordFor(1), validator);
      world.refused('ALREADY_EXISTS', recordFor(0), validator);
      expect(world.refused('ROUND_NOT_OPEN', recordFor(2), validator).opensAt).toBe(second(600));
      world.refused('CONTRACT_NOT_FOUND', recordFor(3), validator);
    },
  );

  it.each([recordFor(0), { type: 'ReceiveFaucetCoupon', validator, round: Round.of(0) } as const])(
    'is recorded once in each round, also when the license is granted again',
    (first) => {
      const world = licensed();
      world.submit(first, validator);
      world.submit({ type: 'CancelValidatorLicense', validator, reason: 'for a moment' }, validator);
      world.submit(grant, dso);
      world.refused('ALREADY_EXISTS', recordFor(0), validator);
      expect(roundToRecord(world.state, validator, world.now)).toBe(1);
      world.accepted('LivenessRecorded', recordFor(1), validator);
    },
  );

  it('is recorded once in each round, also when the record has been minted, and in no earlier round', () => {
    const world = licensed();
    const { coupon } = world.accepted('LivenessRecorded', recordFor(1), validator).detail;
    world.take(coupon);
    expect(world.refused('ALREADY_EXISTS', recordFor(1), validator).contract).not.toBe(coupon);
    world.refused('ALREADY_EXISTS', recordFor(0), validator);
  });

  it('is due in the round after the last recorded one, also when a later round has the same index key', () => {
    const world = worldOf();
    const told = { sponsor, metadata: null, lastActiveAt: null };
    const faucetState = { firstReceivedFor: Round.of(0), lastReceivedFor: Round.of(0), couponsMissed: 0 };
    world.put({ template: 'ValidatorLicense', validator, faucetState, ...told });
    // No record of round 0 is left, and there is one of a round that falls into the drawer of round 1.
    world.put({ template: 'ValidatorLivenessActivityRecord', validator, round: Round.of(17) });
    expect(roundToRecord(world.state, validator, world.now)).toBe(1);
    world.submit(recordFor(1), validator);
    expect(roundToRecord(world.state, validator, world.now)).toBeNull();
  });

  it('is recorded in the newest usable round when the command names none', () => {
    const world = licensed();
    expect(world.accepted('LivenessRecorded', record, validator).detail.round).toBe(1);
  });

  it('counts the missed rounds since the last record', () => {
    const world = licensed();
    world.submit(recordFor(0), validator);
    world.advanceRounds(3);
    expect(world.accepted('LivenessRecorded', recordFor(4), validator).detail.missed).toBe(3);
    world.advanceRounds(3);
    world.submit(recordFor(6), validator);
    expect(faucetStatisticsOf(world.state, validator)).toEqual({
      validator,
      numRoundsCollected: 3,
      numRoundsMissed: 4,
      firstCollectedInRound: 0,
      lastCollectedInRound: 6,
    });
  });

  it('is due in the usable round that opened first among those without a record', () => {
    const world = licensed();
    const due = (): number | null => roundToRecord(world.state, validator, world.now);
    expect(due()).toBe(0);
    world.submit(recordFor(0), validator);
    expect(due()).toBe(1);
    world.submit(recordFor(1), validator);
    expect(due()).toBeNull();
    world.advanceRounds();
    expect(due()).toBe(2);
    expect(roundToRecord(world.state, bob, world.now)).toBeNull();
  });

  it('can be recorded by the deprecated command, which creates a coupon with the same effect', () => {
    const world = licensed();
    const receive: Command = { type: 'ReceiveFaucetCoupon', validator, round: Round.of(0) };
    world.accepted('FaucetCouponReceived', receive, validator);
    expect([...allOf(world.state, 'ValidatorFaucetCoupon')]).toMatchObject([{ validator, round: 0 }]);
    world.refused('ALREADY_EXISTS', recordFor(0), validator);
    expect(faucetStatisticsOf(world.state, validator)?.numRoundsCollected).toBe(1);
  });

  it('ranks validators by the number of rounds that they collected', () => {
    const world = licensed();
    for (const other of [bob, carol]) world.submit({ ...grant, validator: other }, dso);
    world.submit(recordFor(1), validator);
    for (const round of [0, 1]) world.submit({ ...recordFor(round), validator: bob } as Command, bob);
    expect(scanFaucetStatistics(world.state).map((one) => [one.validator, one.numRoundsCollected])).toEqual([
      [bob, 2],
      [alice, 1],
    ]);
    expect(faucetStatisticsOf(world.state, carol)).toBeNull();
    expect(faucetStatisticsOf(world.state, dso)).toBeNull();
  });

  it('ranks validators that collected equally often by their names', () => {
    const world = licensed();
    world.submit(recordFor(1), validator);
    for (const other of [carol, bob]) {
      world.submit({ ...grant, validator: other }, dso);
      world.submit({ ...recordFor(1), validator: other } as Command, other);
    }
    expect(scanFaucetStatistics(world.state).map((one) => one.validator)).toEqual([alice, bob, carol]);
  });
});

const long = 'x'.repeat(256);

describe('GrantValidatorLicense', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly validator: PartyId;
    readonly version: string;
    readonly contactPoint: string;
  }
  precedence<Plan>(
    { actAs: dso, validator: bob, version: '', contactPoint: '' },
    [
      ['NOT_AUTHORISED', { actAs: sponsor }],
      ['ALREADY_EXISTS', { validator: alice }],
      ['INVALID_ARGUMENT', { version: long }, 'version'],
      ['INVALID_ARGUMENT', { contactPoint: long }, 'contact point'],
    ],
    (code, { actAs, ...fields }) => void licensed().refused(code, { ...grant, ...fields }, actAs),
  );
});

describe.each(['RecordValidatorLivenessActivity', 'ReceiveFaucetCoupon'] as const)('the command %s', (type) => {
  interface Plan {
    readonly actAs: PartyId;
    readonly validator: PartyId;
    readonly round: number;
  }
  precedence<Plan>(
    { actAs: alice, validator: alice, round: 1 },
    [
      ['NOT_AUTHORISED', { actAs: dso }],
      ['CONTRACT_NOT_FOUND', { validator: bob, actAs: bob, round: 9 }, 'no license'],
      ['CONTRACT_NOT_FOUND', { round: 9 }, 'no such round'],
      ['ROUND_NOT_OPEN', { round: 2 }],
      ['ALREADY_EXISTS', { round: 0 }],
    ],
    (code, { actAs, round, ...fields }) => {
      const world = licensed();
      world.submit(recordFor(0), validator);
      world.refused(code, { type, ...fields, round: Round.of(round) }, actAs);
    },
  );
});

describe('UpdateLicenseMetadata', () => {
  interface Plan {
    readonly actAs: PartyId;
    readonly validator: PartyId;
    readonly version: string;
    readonly contactPoint: string;
    readonly at: Instant;
  }
  precedence<Plan>(
    { actAs: alice, validator: alice, version: '2', contactPoint: 'me', at: second(hour) },
    [
      ['NOT_AUTHORISED', { actAs: dso }],
      ['CONTRACT_NOT_FOUND', { validator: bob, actAs: bob }],
      ['INVALID_ARGUMENT', { version: long }, 'version'],
      ['INVALID_ARGUMENT', { contactPoint: long }, 'contact point'],
      ['INVALID_ARGUMENT', { version: '1', contactPoint: 'me' }, 'nothing has changed'],
      ['TOO_SOON', { at: second(hour - 1) }],
    ],
    (code, { actAs, at, ...fields }) => {
      const world = licensed();
      const first: Command = { type: 'UpdateLicenseMetadata', validator: alice, version: '1', contactPoint: 'me' };
      world.submit(first, alice);
      world.at(at).refused(code, { type: 'UpdateLicenseMetadata', ...fields }, actAs);
    },
  );
});

describe.each([
  ['ReportActive', alice],
  ['WithdrawValidatorLicense', dso],
  ['CancelValidatorLicense', alice],
] as const)('the command %s', (type, actor) => {
  interface Plan {
    readonly actAs: PartyId;
    readonly validator: PartyId;
  }
  precedence<Plan>(
    { actAs: actor, validator: alice },
    [
      ['NOT_AUTHORISED', { actAs: bob, validator: alice }],
      ['CONTRACT_NOT_FOUND', { validator: bob, actAs: actor === dso ? dso : bob }],
      ...(type === 'ReportActive' ? ([['TOO_SOON', {}]] as const) : []),
    ],
    (code, { actAs, validator: of }) => {
      const command: Command =
        type === 'ReportActive' ? { type, validator: of } : { type, validator: of, reason: 'none' };
      licensed().refused(code, command, actAs);
    },
  );
});
