// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

func tiered(s signal.Signal) signal.Signal { return s.OrEmpty(needsTiered) }

const topicMetrics = "kafka_server_brokertopicmetrics_"

// Tiered storage (KIP-405): copies of closed segments in a remote store.
var (
	TieredBrokers = tiered(show("Brokers with tiered storage", signal.Count,
		`count(count by (broker) (`+topicMetrics+`remotecopylagbytes{cluster="$cluster",job=~"|kafka-(broker|canary|controller)"}))`,
		"How many brokers have tiered storage switched on.", "Fewer than the cluster has: one was started without remote.log.storage.system.enable."))
	RemoteCopyLag = tiered(worstBroker("Not yet copied, bytes", signal.Bytes, `max by (broker) (`+topicMetrics+`remotecopylagbytes{<broker>})`,
		"Bytes of closed segments that are due for the remote store and not there yet. They stay on the broker's disk until they are.",
		"Growing: the store or the copier threads are too slow (remote.log.manager.copier.thread.pool.size), or the store fails: see errors. Watch the disk."))
	RemoteCopySegments = tiered(worstBroker("Not yet copied, segments", signal.Count, `max by (broker) (`+topicMetrics+`remotecopylagsegments{<broker>})`,
		"The same as a number of segments.", "Many small ones: segment.bytes or segment.ms is too small."))
	RemoteCopyBytes = tiered(worstBroker("Copied to the store", signal.BytesPerSec, sumBy("broker", topicMetrics+"remotecopybytes_total"),
		"What is copied to the remote store.", "It should follow bytes in; flat at a limit: a quota (remote.log.manager.copy.max.bytes.per.second) or the store."))
	RemoteFetchBytes = tiered(worstBroker("Read from the store", signal.BytesPerSec, sumBy("broker", topicMetrics+"remotefetchbytes_total"),
		"What consumers read from the remote store.", "Much of it: consumers read old data; that is slow by nature. Local retention (local.retention.ms) may be too short for them."))
	RemoteErrors = tiered(worstBroker("Errors of the store", signal.PerSec,
		`sum by (broker) (rate(`+topicMetrics+`remotecopyerrors_total{<broker>}[$__rate_interval]) + rate(`+topicMetrics+`remotefetcherrors_total{<broker>}[$__rate_interval]))`,
		"Copies and reads that failed.", "Above 0: look at the store's credentials, limits and health."))
	RemoteDeleteLag = tiered(worstBroker("Not yet deleted, bytes", signal.Bytes, `max by (broker) (`+topicMetrics+`remotedeletelagbytes{<broker>})`,
		"Bytes in the remote store that retention has given up and that are still there.", "Growing: deletes fail or are too slow; it costs money, not latency."))
	RemoteReaderIdle = tiered(worstBrokerLow("Remote readers idle", `min by (broker) (clamp_max(kafka_log_remote_remotestoragethreadpool_remotelogreaderavgidlepercent{<broker>}, 1))`,
		"The share of time that the threads that read from the store wait for work.", "Below 30 %: reads of old data queue (remote.log.reader.threads)."))
	RemoteReaderQueue = tiered(worstBroker("Remote reads that wait", signal.Count, `max by (broker) (kafka_log_remote_remotestoragethreadpool_remotelogreadertaskqueuesize{<broker>})`,
		"Reads of old data that wait for a thread.", "Above 0 for long: more reader threads, or fewer consumers that read from the start."))
)
