import { closedRounds } from '@coinlab/core/rules';
import { Round, type Command } from '@coinlab/core';
import { roundStandingOf, roundStandingsOf } from '@coinlab/core/views';
import { describe, expect, it } from 'vitest';
import { dso, worldOf, type World } from '../ledger-fixture.ts';

function standings(world: World): readonly string[] {
  return roundStandingsOf(world.state, world.now).map(
    ({ phase, usable, contract }) => `${contract.round} ${phase}${usable ? ' usable' : ''}`,
  );
}

function start(round: number): Command {
  return { type: 'StartIssuing', round: Round.of(round) };
}

describe('the rounds', () => {
  it('after bootstrap are two usable rounds and one round that opens later', () => {
    expect(standings(worldOf())).toEqual(['2 open', '1 open usable', '0 open usable']);
  });

  it('move through their phases and are listed newest first', () => {
    const world = worldOf();
    world.advanceRounds();
    expect(standings(world)).toEqual(['3 open', '2 open usable', '1 open usable', '0 summarizing']);
    world.submit(start(0), dso);
    world.advanceRounds();
    expect(standings(world)).toEqual(['4 open', '3 open usable', '2 open usable', '1 summarizing', '0 issuing usable']);
    world.submit(start(1), dso);
    world.advanceRounds(2);
    world.submit({ type: 'CloseRound', round: Round.of(0) }, dso);
    expect(standings(world).slice(3)).toEqual(['3 summarizing', '2 summarizing', '1 issuing usable', '0 closed']);
    expect(closedRounds(world.state).map(({ round }) => round)).toEqual([0]);
  });

  it('are found by number, from creation until they are archived', () => {
    const world = worldOf();
    expect(roundStandingOf(world.state, Round.of(2), world.now)).toMatchObject({ phase: 'open', usable: false });
    expect(roundStandingOf(world.state, Round.of(3), world.now)).toBeNull();
  });
});
