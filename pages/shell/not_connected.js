// A page whose server or network is gone says so within seconds, calmly, in place of Streamlit's window about the
// internet. It comes back by itself. A laptop without any network may be its own server: there only an answer counts.

const BETWEEN_LOOKS = 500, LOOKS_UNTIL_SAID = 3, PATIENCE = 2000, BETWEEN_QUESTIONS = 10000;
const GONE =
  "Not connected at the moment. Nothing that you press counts now, and nothing is lost. This page comes back once its server does.";
let looksWithout = 0, unheard = false;

function saysWhenItIsNotConnected() {
  const said = document.createElement("div");
  said.className = "not-connected-words";
  said.setAttribute("role", "alert");
  document.body.append(said);
  setInterval(() => look(said), BETWEEN_LOOKS);
  setInterval(askInSight, BETWEEN_QUESTIONS);
  window.addEventListener("offline", () => look(said));
}

async function look(said) {
  const app = document.querySelector("[data-test-connection-state]");
  looksWithout = !app || app.dataset.testConnectionState === "CONNECTED" ? 0 : looksWithout + 1;
  const unanswered = !navigator.onLine && !(await answers());
  const gone = unheard || unanswered || looksWithout >= LOOKS_UNTIL_SAID;
  document.documentElement.classList.toggle("not-connected", gone);
  document.getElementById("root").inert = gone; // a press would be sent, and charged, once the way is back
  const words = gone ? GONE : "";
  if (said.textContent !== words) said.textContent = words;
}

// A way that loses everything and closes nothing leaves the connection standing for most of a minute.
async function askInSight() {
  unheard = document.visibilityState === "visible" && !(await answers());
}

async function answers() {
  const health = new URL("_stcore/health", document.baseURI);
  try {
    return (await fetch(health, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok;
  } catch {
    return false;
  }
}
