/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.telemetry.PushedMetrics;
import io.phasewise.exporter.BrokerAgents;
import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The processor time that a broker needs for the pushes of 1,000 clients, by what they are asked
 * for. The sizes are those that real clients pushed (docs/evidence/client-telemetry.md); beyond the
 * metrics that are of use the rest of a push is metrics that are not. Writes
 * {@code target/push-cost.md}.
 */
@Tag("long")
class PushCostIT {

    @RegisterExtension
    static final ExportingCluster CLUSTER =
            new ExportingCluster(BrokerAgents.own(1), TestClusters.handingOverTo(ClientMetricsExporter.class));

    private static final PushChecks CHECKS = new PushChecks(CLUSTER);

    private static final int CLIENTS = 1_000;

    /** The exporter has read so many before the next ones come: at once they would not fit into its memory. */
    private static final int AT_ONCE = 50;

    private static final byte UNCOMPRESSED = 0;

    /** Pushes of so many clients in a second, at the interval that is the default. */
    private static final double RATE = CLIENTS / 30.0;

    private final List<String> table = new ArrayList<>(List.of(
            "| pushes | bytes | ms of processor time each | share of a processor for 1,000 clients |",
            "|---|---|---|---|"));

    @Test
    void aThousandClientsCostLittleAndWhatIsOfNoUseCostsLess() throws Exception {
        Map<String, String> all = Map.of("metrics", "*", "interval.ms", "100");
        new ClientMetricsSubscription(CLUSTER.kafka().admin()).apply(List.of(new Change("all", null, all)));
        measure("warming up", 3_400, false);
        double named = measure("Java consumer, by name", 3_446, true);
        double everything = measure("Java consumer, everything", 29_140, true);
        double wide = measure("Java consumer of 100 partitions, by name", 24_651, true);
        double wideEverything = measure("Java consumer of 100 partitions, everything", 177_853, true);
        measure("librdkafka consumer, by 29 names (2.10.1 and newer)", 1_334, true);
        measure("librdkafka consumer, everything", 2_397, true);
        failing();
        Files.write(Path.of("target/push-cost.md"), table);

        assertThat(named * RATE).as("share of a processor").isLessThan(0.2);
        assertThat(everything).isGreaterThan(named);
        assertThat(wideEverything).isGreaterThan(wide);
    }

    /** Seconds of processor time for one push. */
    private double measure(String what, int size, boolean shown) throws Exception {
        int port = CLUSTER.kafka().plan().brokers().get(0).ports().client().port();
        List<RawClient> clients = new ArrayList<>();
        try {
            byte[] push = push(size);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new RawClient(port, "client-" + i % 40));
            }
            each(clients, client -> client.push(UNCOMPRESSED, push));
            double before = cpu();
            each(clients, client -> client.pushAgain(UNCOMPRESSED, push));
            double each = (cpu() - before) / CLIENTS;
            if (shown) {
                say(what, push.length, each);
            }
            return each;
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private interface Push {
        Errors by(RawClient client) throws IOException;
    }

    /** Has each client push once; the exporter reads all of it. */
    private static void each(List<RawClient> clients, Push push) throws Exception {
        for (int i = 0; i < CLIENTS; i += AT_ONCE) {
            double accepted = CHECKS.pushes("accepted");
            for (RawClient client : clients.subList(i, i + AT_ONCE)) {
                assertThat(push.by(client)).isEqualTo(Errors.NONE);
            }
            await("all were read, and none dropped").until(() -> CHECKS.pushes("accepted") >= accepted + AT_ONCE);
        }
    }

    /** A push that the broker cannot read, with the connection that it costs. */
    private void failing() throws Exception {
        int port = CLUSTER.kafka().plan().brokers().get(0).ports().client().port();
        double before = cpu();
        for (int i = 0; i < CLIENTS; i++) {
            try (RawClient client = new RawClient(port, "failing")) {
                client.pushNull();
                throw new AssertionError("a push of null is accepted");
            } catch (IOException closed) {
                // As it is to be.
            }
        }
        say("librdkafka 2.5.3 to 2.10.0, by 29 names: fails, connects again", 0, (cpu() - before) / CLIENTS);
    }

    private void say(String what, int bytes, double seconds) {
        String line = "| %s | %,d | %.3f | %.1f %% |".formatted(what, bytes, seconds * 1e3, seconds * RATE * 100);
        System.out.println(line);
        table.add(line);
    }

    private static double cpu() throws Exception {
        return CLUSTER.sum("process_cpu_seconds_total", Map.of());
    }

    private static byte[] push(int size) {
        OtlpPush push = new OtlpPush().group("readers");
        for (String name : PushedMetrics.names("")) {
            if (name.contains(".consumer.") && !name.contains(".share.")) {
                push.gauge(name.substring(PushedMetrics.PREFIX.length()), 12.5, "client_id", "client");
            }
        }
        for (int i = 0; push.bytes().length < size - 150; i++) {
            push.gauge("consumer.of.no.use.to.anybody." + i, 0.5, "topic", "topic-of-some-length", "partition", "" + i);
        }
        return push.bytes();
    }
}
