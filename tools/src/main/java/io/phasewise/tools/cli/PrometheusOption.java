/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.tools.cli;

import io.phasewise.common.cli.OptionCheck;
import io.phasewise.common.cli.UsageException;
import io.phasewise.common.stack.LocalStack;
import io.phasewise.ops.prediction.InsufficientDataException;
import io.phasewise.ops.prediction.WindowLength;
import io.phasewise.ops.prometheus.ClusterMetrics;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the cluster's figures are, and which of them count. */
final class PrometheusOption {

    @Option(names = "--prometheus", paramLabel = "URL")
    private URI prometheus;

    @Option(names = "--cluster", paramLabel = "NAME")
    private String cluster;

    @Option(names = "--window", paramLabel = "SECONDS")
    private Integer window;

    /**
     * Refuses what is wrong before anything is asked.
     *
     * @throws UsageException when it is
     */
    void check() {
        if (window != null) {
            new OptionCheck()
                    .within("--window", window, WindowLength.SHORTEST, WindowLength.LONGEST)
                    .done();
        }
        if (prometheus != null && !String.valueOf(prometheus.getScheme()).matches("https?")) {
            throw new UsageException("--prometheus: '" + prometheus + "': allowed is http://... or https://...");
        }
        if (prometheus != null && prometheus.getRawUserInfo() != null) {
            // The URL is not repeated: it may hold a password.
            throw new UsageException("--prometheus: there is a user in it; allowed is http://HOST:PORT/PATH");
        }
    }

    /** Empty where the option was not given. */
    Optional<Duration> window() {
        return Optional.ofNullable(window).map(Duration::ofSeconds);
    }

    /**
     * The cluster's figures; empty when nobody says where they are.
     *
     * @param local whose Prometheus is meant unless another is said; empty when the cluster is not
     *     the local one
     * @throws UsageException when Prometheus has no such cluster, or several and none is said
     * @throws InsufficientDataException when it has none at all: a broker can be demoted all the same
     * @throws IOException when it cannot be reached or refuses
     */
    Optional<ClusterMetrics> open(Optional<LocalStack> local)
            throws IOException, InsufficientDataException, InterruptedException {
        Optional<URI> server = server(local);
        if (server.isEmpty()) {
            return Optional.empty();
        }
        Map<String, ClusterMetrics> clusters = ClusterMetrics.in(server.get());
        if (clusters.isEmpty()) {
            throw new InsufficientDataException(server.get() + " has no figures of a canary" + jobs(server.get()));
        }
        if (cluster == null && clusters.size() == 1) {
            return Optional.of(clusters.values().iterator().next());
        }
        if (cluster == null || !clusters.containsKey(cluster)) {
            String fault = cluster == null ? "say which" : "no figures of a canary of " + cluster + jobs(server.get());
            String known = String.join(", ", clusters.keySet());
            throw new UsageException("--cluster: " + fault + "; " + server.get() + " has " + known);
        }
        return Optional.of(clusters.get(cluster));
    }

    /**
     * Names the jobs where only other jobs scrape the canary. Without that nobody would know why
     * nothing is found.
     */
    private String jobs(URI server) throws IOException, InterruptedException {
        List<String> jobs = ClusterMetrics.jobs(server, Optional.ofNullable(cluster));
        if (jobs.isEmpty()) {
            return "";
        }
        List<String> named = jobs.stream().filter(job -> !job.isEmpty()).toList();
        String whose = named.isEmpty()
                ? "its series have no label 'job'"
                : "its series are of the job" + (named.size() > 1 ? "s " : " ") + String.join(", ", named);
        return " (" + whose + "; allowed: job kafka-canary, which alone demote, the rules and the dashboards read)";
    }

    private Optional<URI> server(Optional<LocalStack> local) throws IOException {
        if (prometheus != null || local.isEmpty()) {
            return Optional.ofNullable(prometheus);
        }
        return local.get().prometheus().map(URI::create);
    }
}
