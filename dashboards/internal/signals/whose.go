// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import "phasewise.io/dashboards/internal/signal"

// WhoseTime is whose time probes' phases were, all together.
func WhoseTime() []signal.Signal {
	return whose("",
		"The mean probe of the last minutes, split by the broker and the role that it waited for. The parts add up to the mean end-to-end latency of the leaders chosen.")
}

// WhosePhase is whose time one phase was.
func WhosePhase(phase string) []signal.Signal {
	return whose(`,phase="`+phase+`"`,
		"The mean of "+phase+", split by the broker and the role that a probe waited for. The parts add up to the phase.")
}

// whose are the parts of a mean, to be stacked: the six brokers' roles with the largest areas, all others of brokers, what is no broker's, and unknown.
func whose(phase, read string) []signal.Signal {
	const (
		probes = `((histogram_count(sum(rate(kafka_canary_end_to_end_latency_seconds{<leader>}[$__rate_interval]))) ` +
			`or sum(rate(kafka_canary_end_to_end_latency_seconds_count{<leader>}[$__rate_interval]))) > 0)`
		brokers = `,broker!="none",role=~"handlers|disk|process|network_threads|network|follower|controller"`
		roles   = "handlers: waits for a request handler; disk: appends; process: its JVM was paused, or it was gone; network_threads: bytes or answers waited for a busy network thread; " +
			"network: the path to it; follower: its own time where its agent does not say which. The first wait ever of a broker and role is missing: its series begins with it."
	)
	series := `kafka_canary_wait_seconds_total{<leader>` + phase
	waits := func(of string) string { return `rate(` + series + of + `}[$__rate_interval])` }
	// Of a stack the largest area matters and not the highest moment, and a whole range is cheaper to ask for than all its moments.
	largest := `sum by (broker, role) (` + waits(brokers) + `) and on (broker, role) topk(6, sum by (broker, role) (increase(` + series + brokers + `}[$__range] @ end())))`
	part := func(name, query, read, do string) signal.Signal {
		return show(name, signal.Seconds, `(`+query+`) / on () group_left () `+probes, read, do).Within(0, horizon)
	}
	return []signal.Signal{
		part("brokers", largest, read+" "+roles, "The area that grew is what probes wait for: that broker and role.").Named("{{role}}, broker {{broker}}").
			OrEmpty("no probe has waited for a broker"),
		part("other brokers", `clamp_min(sum(`+waits(brokers)+`) - sum(`+largest+`), 0)`, "All other brokers and roles together.", "Choose a leader above to take it apart.").
			OrEmpty("no probe has waited for a broker"),
		part("no broker", `sum by (role) (`+waits(`,broker="none",role=~"client|network|controller"`)+`)`,
			"client: this canary, its quota, its fetch.min.bytes. network: its own path. controller: no leader since the old one was fenced.",
			"client above the rest: give the canary's host processor time before you believe its tail.").Named("{{role}}").OrEmpty("all waits are of brokers"),
		part("unknown", `sum(`+waits(`,role="unknown"`)+`)`, "What no evidence explains. It is never spread over others.",
			"Large: a broker's agent is not asked or does not answer (Agents that the canary reads), or brokers have none.").OrEmpty("everything is explained"),
	}
}
