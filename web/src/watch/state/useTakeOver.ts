import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api } from "../../api/client";
import { unwrap } from "../../api/errors";
import type { ReplayRef } from "./deepLink";

/** Forks a replay after a frame into a play session and goes there. */
export function useTakeOver() {
  const [, go] = useLocation();
  return useMutation({
    mutationFn: ({ ref, frame, seat }: { ref: ReplayRef; frame: number; seat: number }) =>
      unwrap(api.POST("/api/play/session/fork", { body: { run_id: ref.run, replay_id: ref.replay, frame, seat } })),
    onSuccess: (state) => go(`/play?session=${state.session_id}`),
    onError: (failure) => notifications.show({ title: "Taking over failed", message: failure.message, color: "red" }),
  });
}
