import type { Command } from 'commander';
import { addConform } from './conform/program.js';
import { addImport } from './import/program.js';
import { addLog } from './log/program.js';
import { addMcp } from './mcp/program.js';
import type { Run } from './mcp/tool.js';
import { EXIT_CODES, programNamed, reporting } from './program-parts.js';
import { addReplay } from './replay/program.js';
import { addRun } from './run/program.js';
import { addSearch } from './search/program.js';
import { addAssert, addServe } from './serve/program.js';
import { addQueue } from './queue/program.js';
import { addSweep } from './sweep/program.js';
import type { Terminal } from './terminal.js';

const EXAMPLES = `
Examples:
  coinlab                                              compare all policies on the bundled network
  coinlab replay payments.csv                          one wallet: one signed integer per line
  coinlab replay payments.csv --compare all --cap none one row per policy
  coinlab replay network.csv --merge 10          many parties: seq,round,kind,from,to,amount
  coinlab import bank.csv                              convert your own payments to a network file
  coinlab run scenario.yaml                            simulate the scenario’s parties, payments and policies
  coinlab serve --dev                                  serve the network's APIs with ten funded users
${EXIT_CODES}`;

export function programFor(terminal: Terminal, run: Run): Command {
  const program = programNamed().addHelpText('after', EXAMPLES);
  addReplay(program, terminal);
  addImport(program, terminal);
  addRun(program, terminal);
  addSearch(program, terminal);
  addSweep(program, terminal);
  addQueue(program, terminal);
  addServe(program, terminal);
  addConform(program, terminal);
  addAssert(program, terminal);
  addLog(program, terminal);
  addMcp(program, run);
  return reporting(program, terminal);
}
