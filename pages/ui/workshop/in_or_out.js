// Two buttons that stay where they are; each tap says which round was on the screen when it was made.

export default function ({ data, parentElement, setTriggerValue }) {
  parentElement.querySelectorAll(".in-or-out button").forEach((button) => {
    button.onclick = () =>
      setTriggerValue("tapped", { round: data.round, word: button.value, turn: `${Date.now()}-${Math.random()}` });
  });
}
