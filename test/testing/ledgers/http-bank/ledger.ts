import { createServer, type IncomingMessage, type Server } from 'node:http';

interface Hold {
  payer: string;
  payee: string;
  amount: number;
  expiresAt: number;
  state: 'HELD' | 'CAPTURED' | 'RELEASED';
}

interface Book {
  balances: { [user: string]: number };
  holds: Hold[];
}

type Reply = [status: number, body: unknown];

/** A bank with a JSON API. Every book is a separate bank, for tests. The header `x-user` names the caller, `x-time` the time. */
export function bankServer(): Server {
  const books: Book[] = [];
  return createServer(async (request, response) => {
    const [status, body] = await route(books, request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
}

async function route(books: Book[], request: IncomingMessage): Promise<Reply> {
  const [, first, bookNumber, resource, id, action] = (request.url ?? '').split('/');
  const json = await bodyOf(request);
  if (first !== 'books') return [404, { error: 'not found' }];
  if (bookNumber === undefined) return [201, { book: books.push({ balances: {}, holds: [] }) - 1 }];
  const book = books[Number(bookNumber)];
  if (!book) return [404, { error: 'no such book' }];
  const user = String(request.headers['x-user']);
  const time = Number(request.headers['x-time']);
  const key = `${request.method} ${resource}${action ? `/${action}` : ''}`;
  if (key === 'GET balances') return [200, balanceOf(book, id ?? '')];
  if (key === 'POST deposits') return deposit(book, String(json['to']), Number(json['amount']));
  if (key === 'POST payments') return pay(book, user, String(json['from']), String(json['to']), Number(json['amount']));
  if (key === 'POST holds') return hold(book, user, json);
  const held = book.holds[Number(id)];
  if (!held) return [404, { error: 'no such hold' }];
  if (held.state !== 'HELD') return [409, { error: `the hold is ${held.state}` }];
  if (key === 'POST holds/capture') return capture(book, held, user, time);
  if (key === 'POST holds/refuse') return user === held.payee ? release(held) : [403, { error: 'not the payee' }];
  if (key === 'DELETE holds') return user === held.payer ? release(held) : [403, { error: 'not the payer' }];
  return [404, { error: 'not found' }];
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const part of request) text += String(part);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function balanceOf(book: Book, user: string): { balance: number; held: number } {
  const held = book.holds.filter(({ payer, state }) => payer === user && state === 'HELD');
  return { balance: book.balances[user] ?? 0, held: held.reduce((sum, { amount }) => sum + amount, 0) };
}

function deposit(book: Book, to: string, amount: number): Reply {
  book.balances[to] = (book.balances[to] ?? 0) + amount;
  return [201, {}];
}

function pay(book: Book, user: string, from: string, to: string, amount: number): Reply {
  if (user !== from) return [403, { error: 'not your account' }];
  const { balance, held } = balanceOf(book, from);
  if (!(amount > 0)) return [400, { error: 'amount must be positive' }];
  if (balance - held < amount) return [402, { error: 'insufficient funds' }];
  book.balances[from] = balance - amount;
  book.balances[to] = (book.balances[to] ?? 0) + amount;
  return [201, {}];
}

function hold(book: Book, user: string, json: Record<string, unknown>): Reply {
  const [payer, payee] = [String(json['from']), String(json['to'])];
  const [amount, expiresAt] = [Number(json['amount']), Number(json['expiresAt'])];
  if (user !== payer) return [403, { error: 'not your account' }];
  const { balance, held } = balanceOf(book, payer);
  if (!(amount > 0) || balance - held < amount) return [402, { error: 'insufficient funds' }];
  return [201, { id: book.holds.push({ payer, payee, amount, expiresAt, state: 'HELD' }) - 1 }];
}

function capture(book: Book, held: Hold, user: string, time: number): Reply {
  if (user !== held.payee) return [403, { error: 'not the payee' }];
  if (time >= held.expiresAt) return [410, { error: 'expired' }];
  held.state = 'CAPTURED';
  book.balances[held.payer] = (book.balances[held.payer] ?? 0) - held.amount;
  book.balances[held.payee] = (book.balances[held.payee] ?? 0) + held.amount;
  return [200, {}];
}

function release(held: Hold): Reply {
  held.state = 'RELEASED';
  return [200, {}];
}
