/** Writing to Claude, the queue, and stopping. */
export const enComposer = {
  "stop.stopTurn": "Stop",
  "stop.stopping": "Stopping the turn…",
  "stop.endRun": "End run",
  "stop.ending": "Ending the run…",

  "composer.label": "Message to Claude",
  "composer.placeholder": "Message to Claude",
  "composer.placeholderBusy": "Message for when this turn is over",
  "composer.hint": "Enter sends, Shift+Enter makes a new line",
  "composer.steer": "Steer: hand it over now",
  "composer.steerHint": "Claude sees it during this turn, at the next step",
  "composer.send": "Send",
  "composer.sendQueue": "Queue",
  "composer.sendSteer": "Steer",

  "queue.title": "Not handed over yet",
  "queue.held": "The queue waits. Your next message sets it going again.",
  "queue.waiting": "queued",
  "queue.steer": "steering",
  "queue.sending": "sending",
  "queue.failed": "not sent",
  "queue.attachments": "Attachments",
  "queue.withdraw": "Withdraw",
  "queue.retry": "Send again",
  "queue.takeBack": "Edit",
} as const;
