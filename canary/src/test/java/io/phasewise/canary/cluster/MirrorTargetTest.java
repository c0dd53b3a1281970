/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.supervise.Problem;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MirrorTargetTest {
    private static final String CONFIG = """
            canary:
              http: {port: 0}
              clusters:
                home:
                  bootstrap-servers: 127.0.0.1:1
                  profiles:
                    mirror: {mirror: {bootstrap-servers: "127.0.0.1:2", topic: home.phasewise-canary}}
            """;

    private ProfileContext profile;
    private MirrorTarget target;

    @BeforeEach
    void make() throws Exception {
        ClusterConfig config = new ConfigLoader(Map.of())
                .load(CONFIG, "test").config().clusters().stream()
                        .filter(ClusterConfig::mirrored)
                        .findFirst()
                        .orElseThrow();
        profile = ProfileContext.of(
                config,
                Contexts.context(new PrometheusRegistry(), InstantSource.system(), System::nanoTime),
                new BrokerClocks(),
                new BrokerReach(),
                Optional.empty(),
                1);
        target = new MirrorTarget(profile, () -> {});
        assertThat(target.isShut(false)).isFalse();
    }

    /** Its consumer would send the wrong password every second, which locks accounts. */
    @Test
    void aTargetThatRefusesTheCredentialsIsNotReadUnlessProbesStillComeBack() {
        target.failed(new SaslAuthenticationException("no"));
        assertThat(target.isShut(false)).isTrue();
        assertThat(target.isShut(true)).isFalse();
        assertThat(profile.board().problems())
                .extracting(Problem::message)
                .singleElement()
                .asString()
                .contains("ever more rarely");
    }

    @Test
    void aTargetThatDoesNotAnswerEndsNothing() {
        target.failed(new TimeoutException("late"));
        assertThat(target.isShut(false)).isFalse();
    }

    @Test
    void aRecordOfSomebodyElseEndsTheReadingAtOnce() {
        target.sawOtherRecord();
        assertThat(target.isShut(true)).isTrue();
    }

    @Test
    void aHostThatDnsDoesNotKnowIsNamed() {
        KafkaException unknown = new KafkaException(new ConfigException("No resolvable bootstrap urls given in it"));

        assertThat(ConnectionProblems.explain(unknown, profile.config(), true, false))
                .isEqualTo(new Problem(
                        "mirror.bootstrap-servers", "127.0.0.1:2: the host is not known here (DNS, /etc/hosts)"));
    }

    @Test
    void pausesAreSaidOnlyWhereThereAreAny() {
        SaslAuthenticationException refusal = new SaslAuthenticationException("no");
        assertThat(ConnectionProblems.explain(refusal, profile.config(), false, true)
                        .message())
                .contains("password (tried again ever more rarely");
        assertThat(ConnectionProblems.explain(refusal, profile.config(), false, false)
                        .message())
                .contains("password: ")
                .doesNotContain("rarely");
    }
}
