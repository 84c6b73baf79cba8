export interface User {
  name: string;
  roles: string[];
}
export function read(key: string): User {
  return { name: key };
}
const total: number = 'many';
export const lines = (a: number) => {
  return missing + a + total;
};
