// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

package signals

import (
	"phasewise.io/dashboards/internal/signal"
)

const ofInstance = "instance"

// nodesEvery is twice the scrape interval of job node in prometheus/prometheus.yml.
const nodesEvery = "30s"

// The brokers' JVMs, as their exporters see them.
var (
	ProcessCPU = worstBroker("CPU of the broker's process, cores", signal.Count, `sum by (broker) (rate(process_cpu_seconds_total{<broker>}[$__rate_interval]))`,
		"Processor time per second of the broker's JVM: 1 is a whole core.", "Near the number of cores: everything queues. Compression on the broker, TLS, conversions, too many small requests.")
	OpenFiles = worstBroker("Open files, share of the limit", signal.Ratio, `max by (broker) (process_open_fds{<broker>} / process_max_fds{<broker>})`,
		"Open file descriptors against the limit of the process: each segment and each connection takes some.", "Above 80 %: raise the limit (LimitNOFILE) before the broker fails to accept or to roll.")
	HeapUsed = worstBroker("Heap used", signal.Ratio, `max by (broker) (jvm_memory_used_bytes{<broker>,area="heap"} / (jvm_memory_max_bytes{<broker>,area="heap"} > 0))`,
		"Heap in use against its limit. It rises and falls like a saw, which is right.", "If its low points climb: a leak, or too many partitions or sessions for the heap.")
	GCShare = worstBroker("Time in garbage collection", signal.Ratio, `clamp_max(sum by (broker) (rate(jvm_gc_collection_seconds_sum{<broker>,gc!~".*Cycles"}[$__rate_interval])), 1)`,
		"The share of time in pauses for collections. The concurrent cycles of ZGC and Shenandoah are no pauses and are left out.", "Above some per cent: each pause adds to every phase on this broker. Look at the heap's size and at the collector (G1, ZGC).")
	GCMean = worstBroker("Collection, mean", signal.Seconds, `sum by (broker) (increase(jvm_gc_collection_seconds_sum{<broker>,gc!~".*Cycles"}[5m])) / (sum by (broker) (increase(jvm_gc_collection_seconds_count{<broker>,gc!~".*Cycles"}[5m])) > 0)`,
		"How long one collection takes, on the mean of five minutes.", "Above 100 ms: it is in the tail of every latency on this broker.")
	Threads = worstBroker("Threads", signal.Count, `max by (broker) (jvm_threads_current{<broker>})`,
		"Threads of the broker's JVM.", "Growing without an end: a leak. It shows here long before it hurts.")
	Uptime = worstBroker("Up for", signal.Seconds, `time() - max by (broker) (process_start_time_seconds{<broker>})`,
		"How long the broker has run; a fall to 0 is a restart.", "After a restart that nobody made, read the host's log (out of memory), then the broker's.").
		Within(0, 1e9)
)

// nodes is a signal of a host, from node_exporter: job node.
func nodes(name string, unit signal.Unit, query, read, do string) signal.Signal {
	s := show(name, unit, worst(ofInstance, query), read, do).Named("{{instance}}").OrEmpty(needsNodes)
	s.Every = nodesEvery
	return s
}

// Hosts, where a node_exporter runs on them.
var (
	HostCPU = nodes("Host: CPU busy", signal.Ratio, `1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[$__rate_interval]))`,
		"The share of the host's processors that is busy.", "Above 70 % waits grow fast. See what else runs there.")
	HostSteal = nodes("Host: CPU stolen", signal.Ratio, `avg by (instance) (rate(node_cpu_seconds_total{mode="steal"}[$__rate_interval]))`,
		"The share of time in which the hypervisor gave the host's processors to others.", "Above 1 %: a noisy neighbour, or a burstable machine type that has run out of credit.")
	HostLoad = nodes("Host: load for each core", signal.Multiple, `max by (instance) (node_load1) / count by (instance) (node_cpu_seconds_total{mode="idle"})`,
		"Threads that run, or wait for a processor or for the disk, for each core: the mean of a minute.", "Above 1 some of them wait: see CPU busy and disk busy for which of the two.")
	HostMemory = nodes("Host: memory available", signal.Ratio, `min by (instance) (node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes)`,
		"Memory that could be had without swapping; the page cache counts as available.", "Below 10 %: the page cache is squeezed, reads go to the disk, local gets slower.")
	HostSwap = nodes("Host: swapping", signal.PerSec, `sum by (instance) (rate(node_vmstat_pswpin[$__rate_interval]) + rate(node_vmstat_pswpout[$__rate_interval]))`,
		"Pages swapped in and out per second.", "Anything but 0 pauses the JVM. Set vm.swappiness=1, give it less heap, and run nothing else on the host.")
	DiskBusy = nodes("Host: disk busy", signal.Ratio, `clamp_max(max by (instance) (rate(node_disk_io_time_seconds_total[$__rate_interval])), 1)`,
		"The share of time in which the busiest disk had something to do.", "Near 100 % on a single disk: local and log flush suffer. On NVMe and cloud disks look at latency instead.")
	DiskLatency = nodes("Host: disk write latency", signal.Seconds, `max by (instance) (rate(node_disk_write_time_seconds_total[$__rate_interval]) / (rate(node_disk_writes_completed_total[$__rate_interval]) > 0))`,
		"How long one write takes on the slowest disk.", "Above some 10 ms: a cloud disk at its limit of operations or bytes, or a disk that fails.")
	DiskBytes = nodes("Host: disk written", signal.BytesPerSec, `sum by (instance) (rate(node_disk_written_bytes_total[$__rate_interval]))`,
		"Bytes written per second.", "Flat at a round number: the limit of the volume or of the machine type.")
	DiskRead = nodes("Host: disk read", signal.BytesPerSec, `sum by (instance) (rate(node_disk_read_bytes_total[$__rate_interval]))`,
		"Bytes read per second.", "A broker whose clients keep up reads next to nothing: more is a consumer or a follower that has fallen behind the page cache.")
	NetworkReceived = nodes("Host: network received", signal.BytesPerSec, `sum by (instance) (rate(node_network_receive_bytes_total{device!="lo"}[$__rate_interval]))`,
		"Bytes received per second.", "Flat at a limit: the machine type's bandwidth; publish and commit grow.")
	NetworkBytes = nodes("Host: network sent", signal.BytesPerSec, `sum by (instance) (rate(node_network_transmit_bytes_total{device!="lo"}[$__rate_interval]))`,
		"Bytes sent per second.", "Flat at a limit: the machine type's bandwidth; publish, commit and fetch all grow.")
	NetworkRetransmits = nodes("Host: TCP segments sent again", signal.PerSec, `max by (instance) (rate(node_netstat_Tcp_RetransSegs[$__rate_interval]))`,
		"Segments that had to be sent again.", "Above 0.1 % of what is sent: loss on the path; each costs at least 200 ms, which shows in p99 and above.")
)

// The canary's own process: it has to be well for its figures to be believed.
var (
	CanaryCPU = show("Canary: CPU, cores", signal.Count,
		worst(ofInstance, `sum by (instance) (rate(process_cpu_seconds_total{job="kafka-canary"}[$__rate_interval]))`),
		"Processor time per second of the canary.", "Near what its container may use: it measures its own limits. Give it more, or fewer probes.").
		Named("canary {{instance}}")
	Hiccups = show("Canary: hiccups p99", signal.Seconds,
		worst(ofInstance, percentileOf("0.99", ofInstance, "kafka_canary_hiccup_seconds", ours, "1m")),
		"By how much a timer of one millisecond is delayed in the canary's process.",
		"More than a few milliseconds: its host is starved, and part of the tail is the canary's own.").Named("canary {{instance}}")
)
