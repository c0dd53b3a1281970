/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeriesKindTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jvm_threads_state                             | job=kafka-canary                           | CANARY
                    kafka_canary_config_info                      | job=kafka-canary cluster=a                 | PROFILE
                    kafka_canary_probes_total                     | job=kafka-canary cluster=a leader=1        | LEADER
                    kafka_canary_clock_steps_total                | job=kafka-canary cluster=a broker=1        | LEADER
                    kafka_canary_partition_leader_info            | job=kafka-canary cluster=a partition=0     | LEADER
                    kafka_admin_client_node_request_rate          | job=kafka-canary cluster=a node_id=node-1  | LEADER
                    kafka_admin_client_node_request_total         | job=kafka-canary cluster=a node_id=node--1 | PROFILE
                    kafka_consumer_node_request_total             | job=kafka-canary cluster=a node_id=node-2147483646 | PROFILE
                    up                                            | job=kafka-broker                           | BROKER
                    kafka_server_x_bytesin_total                  | job=kafka-broker topic=x                   | TOPIC
                    kafka_client_instances                        | job=kafka-broker                           | CLIENT
                    kafka_canary:x:mean1m                         | cluster=a profile=p                        | RECORDED_PROFILE
                    kafka_canary:x:mean1m                         | cluster=a profile=p leader=1               | RECORDED_LEADER
                    kafka_broker:x:rate1m                         | cluster=a broker=1                         | RECORDED_BROKER
                    """)
    void whatASeriesGrowsWithShowsInItsNameAndLabels(String name, String labels, SeriesKind kind) {
        assertThat(SeriesKind.of(labels("__name__=" + name + " " + labels))).contains(kind);
        assertThat(kind.isRecorded()).isEqualTo(name.contains(":"));
    }

    @Test
    void aSeriesOfAnotherJobIsOfNoKind() {
        assertThat(SeriesKind.of(labels("__name__=up job=node"))).isEmpty();
    }

    @Test
    void theLastLabelTellsWhichOneButForClientsWhichMayLeaveAwayAny() {
        Map<String, String> some = labels("instance=b topic=x client_id=c");

        assertThat(SeriesKind.TOPIC.unitOf(some)).contains(labels("instance=b topic=x"));
        assertThat(SeriesKind.LEADER.unitOf(some)).isEmpty();
        assertThat(SeriesKind.CLIENT.unitOf(some))
                .contains(labels("instance=b client_id=c group= software_name= software_version="));
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        Arrays.stream(text.split(" "))
                .map(label -> label.split("=", 2))
                .forEach(label -> labels.put(label[0], label[1]));
        return labels;
    }
}
