/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** A fault of a YAML file, or a list of them: each mapping names its {@code kind}, one of these. */
@Retention(RetentionPolicy.RUNTIME)
@JacksonAnnotationsInside
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = StallingBroker.class, name = "stalling-broker"),
    @JsonSubTypes.Type(value = StallingController.class, name = "stalling-controller"),
    @JsonSubTypes.Type(value = StallingCanary.class, name = "stalling-canary"),
    @JsonSubTypes.Type(value = SlowConsumer.class, name = "away-from-poll"),
    @JsonSubTypes.Type(value = GarbageCollectingBroker.class, name = "collecting-broker"),
    @JsonSubTypes.Type(value = BusyHandlers.class, name = "busy-handlers"),
    @JsonSubTypes.Type(value = SlowBrokerDisk.class, name = "slow-disk"),
    @JsonSubTypes.Type(value = HungLogDirectory.class, name = "stuck-log"),
    @JsonSubTypes.Type(value = SlowPath.class, name = "slow-path"),
    @JsonSubTypes.Type(value = LostPackets.class, name = "lost-packets"),
    @JsonSubTypes.Type(value = SeveredConnections.class, name = "severed-connections"),
    @JsonSubTypes.Type(value = DemotedBroker.class, name = "demoted-broker"),
    @JsonSubTypes.Type(value = KilledBrokers.class, name = "killed-brokers"),
    @JsonSubTypes.Type(value = RestartedBrokers.class, name = "restarted-brokers"),
    @JsonSubTypes.Type(value = RollingBrokers.class, name = "rolling-brokers"),
    @JsonSubTypes.Type(value = BrokerSetting.class, name = "broker-setting"),
    @JsonSubTypes.Type(value = ManyPartitions.class, name = "many-partitions"),
    @JsonSubTypes.Type(value = ClientQuota.class, name = "client-quota"),
    @JsonSubTypes.Type(value = DeletedTopic.class, name = "deleted-topic"),
    @JsonSubTypes.Type(value = RevokedPermission.class, name = "revoked-permission"),
    @JsonSubTypes.Type(value = SteppedClock.class, name = "stepped-clock"),
    @JsonSubTypes.Type(value = RestartedServer.class, name = "restarted-server"),
    @JsonSubTypes.Type(value = ReplacedCanary.class, name = "replaced-canary"),
    @JsonSubTypes.Type(value = ApplicationLoad.class, name = "application-load"),
})
public @interface FaultKinds {}
