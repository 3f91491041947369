import type { Instant, Update, UpdateOf } from '@coinlab/core';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { LogFold } from '../../history/log-fold.js';
import { problems } from '../../problem.js';
import { answer, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { payloadOf } from '../../wire/payloads.js';
import { time, variant, type Payload } from '../../wire/payloads/fields.js';
import { contractOnce } from '../../wire/transaction.js';
import { dateTime } from '../../wire/values.js';

const PAGE_LIMIT = 1000;

const request = z
  .object({
    actionName: z.string().optional().describe('Tag of the action, for example `SRARC_GrantFeaturedAppRight`.'),
    accepted: z.boolean().optional(),
    requester: z.string().optional().describe('Name of the super validator that requested the vote.'),
    effectiveFrom: dateTime.optional(),
    effectiveTo: dateTime.optional(),
    limit: z.number().int().min(1).max(PAGE_LIMIT),
  })
  .openapi('ListVoteResultsRequest');

export const registerScanVoteResults: Register<LedgerView> = (api, ledger) => {
  const votes = ledger.own(() => new LogFold(ledger, () => new ClosedVotes()));
  api.openapi(
    createRoute({
      method: 'post',
      path: '/v0/admin/sv/voteresults',
      operationId: 'listVoteRequestResults',
      summary: 'List results of closed vote requests',
      tags: ['scan'],
      request: jsonBody(request),
      responses: {
        200: answer(
          'Results of closed vote requests, newest first.',
          z
            .object({ dso_rules_vote_results: z.array(z.record(z.string(), z.unknown())) })
            .openapi('ListDsoRulesVoteResultsResponse'),
        ),
        ...problems(400),
      },
    }),
    async (c) => {
      const wanted = c.req.valid('json');
      const results: Record<string, unknown>[] = [];
      for (const closed of (await votes().current()).newestFirst()) {
        const result = isWithin(closed, wanted) ? resultOf(closed, ledger) : null;
        if (result && fits(result, wanted)) results.push(result);
        if (results.length === wanted.limit) break;
      }
      return c.json({ dso_rules_vote_results: results }, 200);
    },
  );
};

type Closed = UpdateOf<'VoteClosed'>;
type Wanted = z.output<typeof request>;

/** A network has few votes, so all stay in memory. */
class ClosedVotes {
  readonly #closed: Closed[] = [];

  add(update: Update): void {
    if (update.kind === 'VoteClosed') this.#closed.push(update);
  }

  newestFirst(): readonly Closed[] {
    return this.#closed.toReversed();
  }
}

function isWithin({ detail, recordTime }: Closed, { accepted, effectiveFrom, effectiveTo }: Wanted): boolean {
  const effective: Instant = detail.effectiveAt ?? recordTime;
  if (accepted !== undefined && accepted !== (detail.outcome === 'Accepted')) return false;
  return (
    (effectiveFrom === undefined || effective >= effectiveFrom) &&
    (effectiveTo === undefined || effective <= effectiveTo)
  );
}

function fits(result: Payload, { actionName, requester }: Wanted): boolean {
  // Cast: the payload of a VoteRequest has these fields.
  const asked = result['request'] as { readonly requester: string; readonly action: { readonly value: object } };
  if (requester !== undefined && asked.requester !== requester) return false;
  // The outer variant names the rules, the inner one the action.
  const names = Object.values(asked.action.value).map((action: { readonly tag?: string }) => action.tag);
  return actionName === undefined || names.includes(actionName);
}

function resultOf({ archived, detail, recordTime }: Closed, ledger: LedgerView): Payload | null {
  for (const id of archived) {
    const vote = contractOnce(id, ledger);
    if (vote?.template !== 'VoteRequest') continue;
    return {
      request: payloadOf(vote, ledger.state),
      completedAt: time(recordTime),
      offboardedVoters: [...detail.offboardedVoters],
      abstainingSvs: [...detail.abstainingSvs],
      outcome: outcomeOf(detail),
    };
  }
  return null;
}

function outcomeOf({ outcome, effectiveAt, failure }: Closed['detail']): Payload {
  const tag = `VRO_${outcome}`;
  if (outcome === 'Accepted') return variant(tag, { effectiveAt: effectiveAt && time(effectiveAt) });
  return variant(tag, outcome === 'AcceptedButActionFailed' ? { description: failure } : {});
}
