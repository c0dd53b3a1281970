/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.kinds;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.phasewise.experiments.fault.admin.BrokerSetting;
import io.phasewise.experiments.fault.admin.ClientQuota;
import io.phasewise.experiments.fault.admin.DeletedTopic;
import io.phasewise.experiments.fault.admin.DemotedBroker;
import io.phasewise.experiments.fault.admin.Elections;
import io.phasewise.experiments.fault.admin.MovedReplicas;
import io.phasewise.experiments.fault.admin.RevokedPermission;
import io.phasewise.experiments.fault.debugger.HungLogDirectory;
import io.phasewise.experiments.fault.debugger.SlowConsumer;
import io.phasewise.experiments.fault.host.BusyHost;
import io.phasewise.experiments.fault.host.SlowBrokerDisk;
import io.phasewise.experiments.fault.host.SteppedClock;
import io.phasewise.experiments.fault.network.LostPackets;
import io.phasewise.experiments.fault.network.SeveredConnections;
import io.phasewise.experiments.fault.network.SlowPath;
import io.phasewise.experiments.fault.network.StuckAnswers;
import io.phasewise.experiments.fault.overload.ApplicationLoad;
import io.phasewise.experiments.fault.overload.BusyHandlers;
import io.phasewise.experiments.fault.overload.ColdData;
import io.phasewise.experiments.fault.overload.ColdReaders;
import io.phasewise.experiments.fault.overload.ManyPartitions;
import io.phasewise.experiments.fault.pause.GarbageCollectingBroker;
import io.phasewise.experiments.fault.pause.StallingBroker;
import io.phasewise.experiments.fault.pause.StallingCanary;
import io.phasewise.experiments.fault.pause.StallingController;
import io.phasewise.experiments.fault.restart.KilledBrokers;
import io.phasewise.experiments.fault.restart.ReplacedCanary;
import io.phasewise.experiments.fault.restart.RestartedBrokers;
import io.phasewise.experiments.fault.restart.RestartedServer;
import io.phasewise.experiments.fault.restart.RollingBrokers;
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
    @JsonSubTypes.Type(value = StuckAnswers.class, name = "stuck-answers"),
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
    @JsonSubTypes.Type(value = ColdData.class, name = "cold-data"),
    @JsonSubTypes.Type(value = ColdReaders.class, name = "cold-readers"),
    @JsonSubTypes.Type(value = BusyHost.class, name = "busy-host"),
    @JsonSubTypes.Type(value = Elections.class, name = "elections"),
    @JsonSubTypes.Type(value = MovedReplicas.class, name = "moved-replicas"),
    @JsonSubTypes.Type(value = ApplicationLoad.class, name = "application-load"),
})
public @interface FaultKinds {}
