import { nothing } from './not-there';
import type { User } from '../store';

const broken: User = {
  name: 1,
  roles: { first: 'x' },
};
export class Fast implements User {
  name = 'x';
}
function take(callback: (user: User) => Promise<Map<string, number[]>>): void {}
take(async (user) => new Map([[user.name, user.roles]]));
console.log(broken, nothing);
