import { Effects } from '../contracts/effects.js';
import type { FaucetState, ValidatorLicense } from '../contracts/licenses.js';
import { settingsOf, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import type { Rejected } from '../kernel/rejection.js';
import { err, ok } from '../kernel/result.js';
import { contractId, integer, optional, party, round, text } from '../kernel/shape.js';
import { Duration, Instant, type Round } from '../kernel/time.js';
import { licenseOf, recordOf } from '../rules/rewards/liveness.js';
import { usableRound } from '../rules/rounds.js';
import { byDso, onArchived, byDsoOn, type Consent } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { invalid, refuseUnlessActing } from '../rules/refusals.js';

/**
 * The license of a validator: granted by the DSO, renewed by each of the validator's reports, ended by either. With
 * it a validator records its liveness once per round, for which it is rewarded.
 * Source: specification §3.10, §6.7. Assumption: A-55 (one license per validator, which commands name by the
 * validator).
 */
type LicenseCommand =
  | GrantValidatorLicense
  | RecordValidatorLivenessActivity
  | ReceiveFaucetCoupon
  | UpdateLicenseMetadata
  | ReportActive
  | WithdrawValidatorLicense
  | CancelValidatorLicense;

/** Makes a party a validator. Acts as the DSO. */
interface GrantValidatorLicense {
  readonly type: 'GrantValidatorLicense';
  readonly validator: PartyId;
  readonly sponsor: PartyId;
  /** Version of its software, at most 255 characters; default: no metadata. */
  readonly version?: string;
  /** Contact of the validator's operator, at most 255 characters; default: empty. */
  readonly contactPoint?: string;
}

/** Records that the validator is live in an open round. Acts as the validator. */
interface RecordValidatorLivenessActivity {
  readonly type: 'RecordValidatorLivenessActivity';
  readonly validator: PartyId;
  /** Round of the record; default: the newest usable open round. */
  readonly round?: Round;
}

/** The deprecated form of {@link RecordValidatorLivenessActivity}, with a coupon instead of the record. Acts as the validator. */
interface ReceiveFaucetCoupon {
  readonly type: 'ReceiveFaucetCoupon';
  readonly validator: PartyId;
  /** Round of the coupon; default: the newest usable open round. */
  readonly round?: Round;
}

/** Sets version and contact, at most once an hour. Acts as the validator. */
interface UpdateLicenseMetadata {
  readonly type: 'UpdateLicenseMetadata';
  readonly validator: PartyId;
  readonly version: string;
  readonly contactPoint: string;
}

/** Reports that the validator is up, at most once an hour. Acts as the validator. */
interface ReportActive {
  readonly type: 'ReportActive';
  readonly validator: PartyId;
}

/** Withdraws a validator's license. Acts as the DSO. */
interface WithdrawValidatorLicense {
  readonly type: 'WithdrawValidatorLicense';
  readonly validator: PartyId;
  readonly reason: string;
}

/** Gives up the license. Acts as the validator. */
interface CancelValidatorLicense {
  readonly type: 'CancelValidatorLicense';
  readonly validator: PartyId;
  readonly reason: string;
}

interface LicenseDetail extends ValueDetail {
  readonly validator: PartyId;
  /** Id of the new license; of the archived one if the update ended the license. */
  readonly license: ContractId;
}

interface LivenessDetail extends LicenseDetail {
  readonly round: Round;
  readonly coupon: ContractId;
  /** Rounds missed since the last recorded one. */
  readonly missed: number;
}

interface LicenseDetails {
  readonly ValidatorLicenseGranted: LicenseDetail & { readonly sponsor: PartyId };
  readonly LivenessRecorded: LivenessDetail;
  readonly FaucetCouponReceived: LivenessDetail;
  readonly LicenseMetadataUpdated: LicenseDetail;
  readonly ActivityReported: LicenseDetail;
  readonly ValidatorLicenseWithdrawn: LicenseDetail & { readonly reason: string };
  readonly ValidatorLicenseCancelled: LicenseDetail & { readonly reason: string };
}

type Answer = Decision<LicenseDetails>;

/** Shortest time between two updates of metadata, and between two reports of activity. Source: specification §3.10. */
const LEAST_INTERVAL = Duration.hours(1);
const LONGEST_TEXT = 255;

const liveness = shapeOf<ReceiveFaucetCoupon>({ validator: party, round: optional(round) });
const ending = shapeOf<CancelValidatorLicense>({ validator: party, reason: text });
const licensed = { validator: party, license: contractId };
const detail = detailShape<LicenseDetail>(licensed);
const livenessDetail = detailShape<LivenessDetail>({ ...licensed, round, coupon: contractId, missed: integer });
const endDetail = detailShape<LicenseDetail & { readonly reason: string }>({ ...licensed, reason: text });

const byLicensed: Consent<unknown> = onArchived('ValidatorLicense', 'validator');

const outcomes = {
  GrantValidatorLicense: {
    becomes: ['ValidatorLicenseGranted'],
    refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS', 'INVALID_ARGUMENT'],
  },
  RecordValidatorLivenessActivity: {
    becomes: ['LivenessRecorded'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'ROUND_NOT_OPEN', 'ALREADY_EXISTS'],
  },
  ReceiveFaucetCoupon: {
    becomes: ['FaucetCouponReceived'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'ROUND_NOT_OPEN', 'ALREADY_EXISTS'],
  },
  UpdateLicenseMetadata: {
    becomes: ['LicenseMetadataUpdated'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'INVALID_ARGUMENT', 'TOO_SOON'],
  },
  ReportActive: { becomes: ['ActivityReported'], refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND', 'TOO_SOON'] },
  WithdrawValidatorLicense: {
    becomes: ['ValidatorLicenseWithdrawn'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND'],
  },
  CancelValidatorLicense: {
    becomes: ['ValidatorLicenseCancelled'],
    refusals: ['NOT_AUTHORISED', 'CONTRACT_NOT_FOUND'],
  },
} as const;

export const licenses: Workflow<LicenseCommand, LicenseDetails, typeof outcomes> = {
  commands: {
    GrantValidatorLicense: shapeOf<GrantValidatorLicense>({
      validator: party,
      sponsor: party,
      version: optional(text),
      contactPoint: optional(text),
    }),
    RecordValidatorLivenessActivity: liveness,
    ReceiveFaucetCoupon: liveness,
    UpdateLicenseMetadata: shapeOf<UpdateLicenseMetadata>({ validator: party, version: text, contactPoint: text }),
    ReportActive: shapeOf<ReportActive>({ validator: party }),
    WithdrawValidatorLicense: ending,
    CancelValidatorLicense: ending,
  },
  outcomes,
  source: '§3.10, §6.7',
  updates: {
    ValidatorLicenseGranted: unrecorded(
      detailShape<LicenseDetails['ValidatorLicenseGranted']>({ ...licensed, sponsor: party }),
      byDso,
      null,
    ),
    LivenessRecorded: unrecorded(livenessDetail, byLicensed, null),
    FaucetCouponReceived: unrecorded(livenessDetail, byLicensed, null),
    LicenseMetadataUpdated: unrecorded(detail, byLicensed, null),
    ActivityReported: unrecorded(detail, byLicensed, null),
    ValidatorLicenseWithdrawn: unrecorded(endDetail, byDsoOn('ValidatorLicense'), 'license'),
    ValidatorLicenseCancelled: unrecorded(endDetail, byLicensed, 'license'),
  },
  decide,
};

function decide(command: LicenseCommand, state: LedgerState, context: Context): Answer {
  const { dso } = settingsOf(state);
  const byDso = command.type === 'GrantValidatorLicense' || command.type === 'WithdrawValidatorLicense';
  const unauthorised = refuseUnlessActing(context, byDso ? dso : command.validator);
  if (unauthorised) return err(unauthorised);
  if (command.type === 'GrantValidatorLicense') return grant(command, state, context);
  const license = licenseOf(state, command.validator);
  if (!license) {
    const wanted = `a ValidatorLicense of ${command.validator}`;
    return err({ code: 'CONTRACT_NOT_FOUND', contract: null, wanted });
  }
  switch (command.type) {
    case 'RecordValidatorLivenessActivity':
    case 'ReceiveFaucetCoupon':
      return recordLiveness(command, license, state, context);
    case 'UpdateLicenseMetadata':
      return updateMetadata(command, license, state, context);
    case 'ReportActive':
      return reportActive(license, state, context);
    case 'WithdrawValidatorLicense':
    case 'CancelValidatorLicense':
      return end(command, license, state);
  }
}

function grant(command: GrantValidatorLicense, state: LedgerState, { now }: Context): Answer {
  const { validator, sponsor, version, contactPoint = '' } = command;
  const existing = licenseOf(state, validator);
  if (existing)
    return err({ code: 'ALREADY_EXISTS', what: `a ValidatorLicense of ${validator}`, contract: existing.id });
  const tooLong = refuseLongText('version', version ?? '') ?? refuseLongText('contactPoint', contactPoint);
  if (tooLong) return err(tooLong);
  const effects = new Effects(state);
  const license = effects.create('ValidatorLicense', {
    validator,
    sponsor,
    faucetState: null,
    metadata: version === undefined ? null : { lastUpdatedAt: now, version, contactPoint },
    lastActiveAt: now,
  });
  return ok(effects.outcome('ValidatorLicenseGranted', { validator, license: license.id, sponsor }));
}

function recordLiveness(
  { type, validator, round: named }: RecordValidatorLivenessActivity | ReceiveFaucetCoupon,
  license: ValidatorLicense,
  state: LedgerState,
  { now }: Context,
): Answer {
  const open = usableRound(state, named, now);
  if (!open.ok) return open;
  const { round: recorded } = open.value;
  const { faucetState: before } = license;
  if (before && recorded <= before.lastReceivedFor)
    return err({ code: 'ALREADY_EXISTS', what: `a record for round ${before.lastReceivedFor}`, contract: license.id });
  const earlier = recordOf(state, validator, recorded);
  if (earlier) return err({ code: 'ALREADY_EXISTS', what: `a record for round ${recorded}`, contract: earlier.id });
  const missed = before ? recorded - before.lastReceivedFor - 1 : 0;
  const faucetState: FaucetState = {
    firstReceivedFor: before?.firstReceivedFor ?? recorded,
    lastReceivedFor: recorded,
    couponsMissed: (before?.couponsMissed ?? 0) + missed,
  };
  const effects = new Effects(state);
  const renewed = effects.replace(license, { faucetState, lastActiveAt: now });
  const isRecord = type === 'RecordValidatorLivenessActivity';
  const coupon = effects.create(isRecord ? 'ValidatorLivenessActivityRecord' : 'ValidatorFaucetCoupon', {
    validator,
    round: recorded,
  });
  return ok(
    effects.outcome(isRecord ? 'LivenessRecorded' : 'FaucetCouponReceived', {
      validator,
      license: renewed.id,
      round: recorded,
      coupon: coupon.id,
      missed,
    }),
  );
}

function updateMetadata(
  { validator, version, contactPoint }: UpdateLicenseMetadata,
  license: ValidatorLicense,
  state: LedgerState,
  { now }: Context,
): Answer {
  const tooLong = refuseLongText('version', version) ?? refuseLongText('contactPoint', contactPoint);
  if (tooLong) return err(tooLong);
  const { metadata } = license;
  if (metadata && metadata.version === version && metadata.contactPoint === contactPoint)
    return err(invalid('version', version, 'something that has changed'));
  const tooSoon = refuseTooSoon(metadata?.lastUpdatedAt ?? null, now);
  if (tooSoon) return err(tooSoon);
  const effects = new Effects(state);
  const renewed = effects.replace(license, {
    metadata: { lastUpdatedAt: now, version, contactPoint },
    lastActiveAt: now,
  });
  return ok(effects.outcome('LicenseMetadataUpdated', { validator, license: renewed.id }));
}

function reportActive(license: ValidatorLicense, state: LedgerState, { now }: Context): Answer {
  const tooSoon = refuseTooSoon(license.lastActiveAt, now);
  if (tooSoon) return err(tooSoon);
  const effects = new Effects(state);
  const renewed = effects.replace(license, { lastActiveAt: now });
  return ok(effects.outcome('ActivityReported', { validator: license.validator, license: renewed.id }));
}

function end(
  { type, reason }: WithdrawValidatorLicense | CancelValidatorLicense,
  license: ValidatorLicense,
  state: LedgerState,
): Answer {
  const effects = new Effects(state);
  effects.archive(license);
  const kind = type === 'WithdrawValidatorLicense' ? 'ValidatorLicenseWithdrawn' : 'ValidatorLicenseCancelled';
  return ok(effects.outcome(kind, { validator: license.validator, license: license.id, reason }));
}

function refuseLongText(field: string, value: string): Rejected<'INVALID_ARGUMENT'> | null {
  return value.length <= LONGEST_TEXT ? null : invalid(field, `${value.length} characters`, `at most ${LONGEST_TEXT}`);
}

function refuseTooSoon(last: Instant | null, now: Instant): Rejected<'TOO_SOON'> | null {
  const notBefore = last === null ? now : Instant.plus(last, LEAST_INTERVAL);
  return now >= notBefore ? null : { code: 'TOO_SOON', notBefore, at: now };
}
