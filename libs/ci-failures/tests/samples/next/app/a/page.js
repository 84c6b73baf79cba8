export default function P() { return <p>unclosed; }
