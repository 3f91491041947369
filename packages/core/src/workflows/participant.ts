import { Effects } from '../contracts/effects.js';
import { partyAnnotationsKey, uploadedDarKey } from '../contracts/participant.js';
import { firstByKey, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { list, mapOf, party, text } from '../kernel/shape.js';
import { refuseAnnotations } from '../rules/annotations.js';
import { by } from '../rules/consent.js';
import { byType, detailShape, shapeOf, unrecorded, type Decision, type Workflow } from '../rules/workflow.js';
import { invalid, refuseUnlessActing } from '../rules/refusals.js';

/**
 * Records of a participant that clients write and read back: annotations of parties, and uploaded package archives.
 * Nothing else in the ledger depends on them. Assumptions.
 */
type ParticipantCommand = AnnotateParty | RecordDar;

/** Replaces the annotations of a party. Acts as the operator. */
interface AnnotateParty {
  readonly type: 'AnnotateParty';
  readonly operator: PartyId;
  readonly participant: string;
  readonly party: PartyId;
  /** Free texts by name, at most 256 KiB together. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Records the upload of a package archive. Acts as the operator. A known archive is refused; the refusal names its record. */
interface RecordDar {
  readonly type: 'RecordDar';
  readonly operator: PartyId;
  readonly participant: string;
  /** SHA-256 of the archive, in hex. */
  readonly hash: string;
  /** Ids of its packages: 64 hex digits each, 1 to 1,000. */
  readonly packages: readonly string[];
}

interface PartyAnnotatedDetail extends ValueDetail {
  readonly operator: PartyId;
  readonly participant: string;
  readonly party: PartyId;
}

interface DarRecordedDetail extends ValueDetail {
  readonly operator: PartyId;
  readonly participant: string;
  readonly hash: string;
}

interface ParticipantDetails {
  readonly PartyAnnotated: PartyAnnotatedDetail;
  readonly DarRecorded: DarRecordedDetail;
}

type Answer = Decision<ParticipantDetails>;

const HASH = /^[0-9a-f]{64}$/;
const MOST_PACKAGES = 1_000;

const outcomes = {
  AnnotateParty: { becomes: ['PartyAnnotated'], refusals: ['NOT_AUTHORISED', 'INVALID_ARGUMENT'] },
  RecordDar: {
    becomes: ['DarRecorded'],
    refusals: ['NOT_AUTHORISED', 'INVALID_ARGUMENT', 'ALREADY_EXISTS'],
    source: 'A-119',
  },
} as const;

export const participant: Workflow<ParticipantCommand, ParticipantDetails, typeof outcomes> = {
  commands: {
    AnnotateParty: shapeOf<AnnotateParty>({ operator: party, participant: text, party, annotations: mapOf(text) }),
    RecordDar: shapeOf<RecordDar>({ operator: party, participant: text, hash: text, packages: list(text) }),
  },
  outcomes,
  source: 'A-118',
  updates: {
    PartyAnnotated: unrecorded(
      detailShape<PartyAnnotatedDetail>({ operator: party, participant: text, party }),
      by('operator'),
      null,
    ),
    DarRecorded: unrecorded(
      detailShape<DarRecordedDetail>({ operator: party, participant: text, hash: text }),
      by('operator'),
      null,
    ),
  },
  decide: byType({ AnnotateParty: annotate, RecordDar: recordDar }),
};

function annotate(command: AnnotateParty, state: LedgerState, context: Context): Answer {
  const { operator, participant: at, party: of, annotations } = command;
  const before = firstByKey(state, 'PartyAnnotations', partyAnnotationsKey(at, of));
  const refused =
    refuseUnlessActing(context, operator, ...(before ? [before.operator] : [])) ?? refuseAnnotations(annotations);
  if (refused) return err(refused);
  const effects = new Effects(state);
  if (before) effects.archive(before);
  effects.create('PartyAnnotations', {
    operator,
    participant: at,
    party: of,
    annotations,
    resourceVersion: (before?.resourceVersion ?? 0) + 1,
  });
  return ok(effects.outcome('PartyAnnotated', { operator, participant: at, party: of }));
}

function recordDar(command: RecordDar, state: LedgerState, context: Context): Answer {
  const { operator, participant: at, hash } = command;
  const unauthorised = refuseUnlessActing(context, operator);
  if (unauthorised) return err(unauthorised);
  if (!HASH.test(hash)) return err(invalid('hash', hash, '64 lower-case hex digits'));
  const packages = [...new Set(command.packages)];
  const odd = packages.find((id) => !HASH.test(id));
  if (odd !== undefined || packages.length === 0 || packages.length > MOST_PACKAGES) {
    const expected = `1 to ${MOST_PACKAGES} package ids of 64 lower-case hex digits`;
    return err(invalid('packages', odd ?? `${packages.length} ids`, expected));
  }
  const known = firstByKey(state, 'UploadedDar', uploadedDarKey(at, hash));
  if (known) return err({ code: 'ALREADY_EXISTS', what: `archive ${hash}`, contract: known.id });
  const effects = new Effects(state);
  effects.create('UploadedDar', { operator, participant: at, hash, packages });
  return ok(effects.outcome('DarRecorded', { operator, participant: at, hash }));
}
