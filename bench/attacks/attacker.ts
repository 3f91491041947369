import { attack, ATTACKS } from './attack.ts';

/** Attacks a server from a separate process until it is killed: `attacker NAME PORT CONNECTIONS`. */
const [name, port, connections] = process.argv.slice(2);
const chosen = ATTACKS.find((one) => one.name === name);
if (!chosen) throw new Error(`no attack is called ${name}`);
attack(chosen, Number(port), Number(connections));
