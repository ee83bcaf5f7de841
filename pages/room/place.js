// The way back of one browser: the key of its place in a room, kept here, told to the server when it asks.

const NAME = "epsilon-explorer-place";

function kept() {
  try {
    return (window.localStorage.getItem(NAME) ?? "").slice(0, 100);
  } catch {
    return "";
  }
}

export default function ({ data, setStateValue }) {
  try {
    if (data.keep) window.localStorage.setItem(NAME, data.keep);
    if (data.forget && kept() === data.forget) window.localStorage.removeItem(NAME);
  } catch {
    return;
  }
  if (data.ask && kept()) setStateValue("kept", kept());
}
