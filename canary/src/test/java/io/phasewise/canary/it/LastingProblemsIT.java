/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.phasewise.canary.supervise.ProblemBoard;
import io.phasewise.lab.junit.SharedCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A problem that lasts is told once: it is not "solved" and told again at every attempt. */
class LastingProblemsIT {
    @RegisterExtension
    static final SharedCluster CLUSTER = TestClusters.SHARED;

    /** A client that the configuration cannot know to be impossible: a file that is not there. */
    private static final String CLUSTERS = """
            clusters:
              reads-not: {$at, topic: {name: lasting-1}, consumer: {security.protocol: SSL, $gone}}
              sends-not: {$at, topic: {name: lasting-2}, producer: {security.protocol: SSL, $gone}}
              asks-not: {$at, topic: {name: lasting-3}, admin: {security.protocol: SSL, $gone}}
            """;

    @Test
    void aClientThatCannotBeMadeIsOneProblem() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ProblemBoard.class);
        logger.addAppender(log);
        String yaml = CLUSTERS.replace(
                        "$at", "bootstrap-servers: '" + CLUSTER.get().bootstrap() + "'")
                .replace("$gone", "ssl.truststore.location: /no/such/file, ssl.truststore.type: PEM");
        try (RunningCanary canary = RunningCanary.embedded(yaml)) {
            // Of the admin client it is seen before it is made that the port is not for it.
            Map<String, String> clusters = Map.of(
                    "reads-not", "/no/such/file", "sends-not", "/no/such/file", "asks-not", "speaks Kafka without TLS");
            for (Map.Entry<String, String> cluster : clusters.entrySet()) {
                RunningCanary.await(
                        cluster.getKey() + " has a problem",
                        () -> canary.problems(cluster.getKey()).contains(cluster.getValue()));
            }
            canary.await(
                    "several attempts",
                    now -> now.sum("kafka_canary_errors_total", "cluster=reads-not", "client=admin") >= 5
                            && now.sum("kafka_canary_errors_total", "cluster=asks-not", "client=admin") >= 5);

            List<String> lines =
                    log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
            clusters.forEach((cluster, told) -> {
                assertThat(lines)
                        .filteredOn(line -> line.startsWith("cluster " + cluster + ": "))
                        .as(cluster)
                        .singleElement()
                        .asString()
                        .contains(told);
                assertThat(canary.problems(cluster)).contains(told);
            });
        } finally {
            logger.detachAppender(log);
        }
    }
}
