// Two buttons that stay where they are; each tap says which round was on the screen when it was made.
// Nobody reads a count so soon: a tap right after a new round came is the second half of a double one.

const UNREAD_MILLISECONDS = 350;

export default function ({ data, parentElement, setTriggerValue }) {
  const buttons = parentElement.querySelector(".in-or-out");
  if (buttons.dataset.round !== `${data.round}`) buttons.since = performance.now();
  buttons.dataset.round = data.round;
  buttons.querySelectorAll("button").forEach((button) => {
    button.onclick = () => {
      if (performance.now() - buttons.since < UNREAD_MILLISECONDS) return;
      setTriggerValue("tapped", { round: data.round, word: button.value, turn: `${Date.now()}-${Math.random()}` });
    };
  });
}
