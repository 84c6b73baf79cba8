import x from '@/nothing/here';
import 'server-only';
const = 3;
export default function P() { return <p>{x}</p>; }
