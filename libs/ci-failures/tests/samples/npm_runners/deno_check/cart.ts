import { total } from "./till.ts";

interface Cart {
  count: number;
  owner: { name: string };
}
const cart: Cart = { count: 1, owner: { name: 2 } };
function each(call: (one: number) => string): void {
  call(total);
}
each((one: string) => one);
class Names extends Array<string> {
  push(one: number): number { return one; }
}
debugger;
console.log(cart, new Names());
