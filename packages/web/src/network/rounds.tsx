import type { Instant } from '@coinlab/core';
import type { JSX } from 'preact';
import type { RoundsFound } from '../api/shapes.js';
import { instantOf } from '../format/times.js';
import { Card } from '../parts/card.js';
import { Rows } from '../parts/rows.js';
import { Empty, Loaded } from '../parts/states.js';
import { At, Relative } from '../parts/values.js';
import { useRounds } from '../store/network.js';
import { shownNow } from '../store/standing.js';

interface RoundRow {
  readonly round: number;
  readonly kind: 'open' | 'issuing';
  /** Null for a round that issues: its price no longer matters. */
  readonly price: string | null;
  readonly opensAt: string;
  readonly closesAt: string;
}

export function Rounds(): JSX.Element {
  const rounds = useRounds();
  return (
    <Card title="Rounds">
      <Loaded resource={rounds} what="the rounds">
        {(found) => {
          const rows = rowsOf(found);
          if (rows.length === 0) return <Empty title="The network has no open round" />;
          return (
            <>
              <Timeline rows={rows} />
              <RoundRows rows={rows} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function rowsOf({ open_mining_rounds, issuing_mining_rounds }: RoundsFound): readonly RoundRow[] {
  const open = Object.values(open_mining_rounds).map(({ contract: { payload } }) => ({
    ...timesOf(payload),
    kind: 'open' as const,
    price: payload.amuletPrice,
  }));
  const issuing = Object.values(issuing_mining_rounds).map(({ contract: { payload } }) => ({
    ...timesOf(payload),
    kind: 'issuing' as const,
    price: null,
  }));
  return [...issuing, ...open].sort((a, b) => a.round - b.round);
}

interface Times {
  readonly round: { readonly number: string };
  readonly opensAt: string;
  readonly targetClosesAt: string;
}

function timesOf({ round, opensAt, targetClosesAt }: Times): Pick<RoundRow, 'round' | 'opensAt' | 'closesAt'> {
  return { round: Number(round.number), opensAt, closesAt: targetClosesAt };
}

function Timeline({ rows }: { readonly rows: readonly RoundRow[] }): JSX.Element {
  const now = shownNow.value;
  const times = rows.flatMap(({ opensAt, closesAt }) => [instantOf(opensAt) ?? now, instantOf(closesAt) ?? now]);
  const [first, last] = [least([...times, now]), most([...times, now])];
  const share = (time: Instant): number => (last === first ? 0 : (Number(time - first) / Number(last - first)) * 100);
  return (
    <div class="timeline" aria-hidden="true">
      {rows.map(({ round, kind, opensAt, closesAt }) => {
        const [from, to] = [share(instantOf(opensAt) ?? now), share(instantOf(closesAt) ?? now)];
        return (
          <div key={`${kind}${round}`} class="lane">
            <span class={`bar ${kind}`} style={{ left: `${from}%`, width: `${Math.max(to - from, 0.5)}%` }}>
              {round}
            </span>
          </div>
        );
      })}
      <span class="now" style={{ left: `${share(now)}%` }} />
    </div>
  );
}

function least(times: readonly Instant[]): Instant {
  return times.reduce((a, b) => (a < b ? a : b));
}

function most(times: readonly Instant[]): Instant {
  return times.reduce((a, b) => (a > b ? a : b));
}

function RoundRows({ rows }: { readonly rows: readonly RoundRow[] }): JSX.Element {
  return (
    <Rows<RoundRow>
      label="Rounds"
      rows={rows}
      keyOf={({ round, kind }) => `${kind}${round}`}
      columns={[
        { title: 'Round', width: '5rem', isNumber: true, cell: ({ round }) => round },
        { title: 'State', width: 'minmax(10rem, 1fr)', cell: (row) => stateOf(row, shownNow.value) },
        { title: 'USD per coin', width: '8rem', isNumber: true, cell: ({ price }) => price ?? '' },
        { title: 'Opens (UTC)', width: 'minmax(11rem, 1fr)', cell: ({ opensAt }) => <Moment time={opensAt} /> },
        { title: 'Target end (UTC)', width: 'minmax(11rem, 1fr)', cell: ({ closesAt }) => <Moment time={closesAt} /> },
      ]}
    />
  );
}

function Moment({ time }: { readonly time: string }): JSX.Element {
  return (
    <>
      <At time={time} />{' '}
      <span class="quiet">
        <Relative time={time} />
      </span>
    </>
  );
}

function stateOf({ kind, opensAt, closesAt }: RoundRow, now: Instant): string {
  const opens = instantOf(opensAt);
  const closes = instantOf(closesAt);
  if (opens !== null && now < opens) return kind === 'open' ? 'not yet usable' : 'rewards not yet paid';
  if (kind === 'issuing') return 'pays rewards';
  return closes !== null && now >= closes ? 'past its target end' : 'usable';
}
