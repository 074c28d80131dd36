//! Which equal attempts share one request (`dedupe`): the first of them leads, the others follow.
//!
//! A flight is one request and the calls that wait for it. It is open from when its leader asks to send it until something is
//! known of its answer: a call that comes later sends a request of its own, whose answer is fresher. What a request holds (a slot
//! of the queue, leave of the circuit) belongs to the flight once it is out, since its leader may be the first to leave.

use alloc::collections::VecDeque;

use crate::breaker::Permit;
use crate::slab::{CallId, Slab};
use crate::table::Table;
use crate::time::Instant;

/// The number of a flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FlightId(CallId);

/// What calls of one flight have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Likeness {
    /// The driver's number for equal requests; not 0.
    pub(crate) share: u64,
    /// Shared with the request, so that any of the calls can give it back.
    pub(crate) lane: u64,
    pub(crate) circuit: u64,
    /// Any of the calls may be the one that refreshes.
    pub(crate) auth: u32,
}

/// How a flight is, for a call that follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Course {
    /// A call whose attempt is the same request.
    pub(crate) with: CallId,
    /// The token that it was sent with.
    pub(crate) moment: u64,
}

/// What becomes of a call that asks to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Joined {
    pub(crate) flight: FlightId,
    pub(crate) role: Role,
    /// What all calls of a flight draw their next backoff from: then they share the retry too.
    pub(crate) draw: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It sends the request.
    Leads,
    /// It waits for the leader, which has not sent it yet.
    Waits,
    /// It follows a request that is out.
    Follows,
}

/// What a call that waits is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    /// The leader has left before it sent: this call leads now.
    Lead,
    /// The request is out.
    Sent,
}

/// What the last call of a flight is left with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Rest {
    pub(crate) slot: bool,
    pub(crate) permit: Option<Permit>,
}

struct Flight {
    likeness: Likeness,
    /// In the order in which they came; the first of those that are left leads.
    members: VecDeque<CallId>,
    sent: bool,
    /// When something was first known of the answer.
    known: Option<Instant>,
    moment: u64,
    draw: u32,
    rest: Rest,
}

/// All flights.
pub(crate) struct Flights {
    flights: Slab<Flight>,
    /// Those that may be joined, by what their calls share.
    open: Table<FlightId>,
    news: VecDeque<(CallId, News)>,
}

impl Flights {
    pub(crate) const fn new() -> Self {
        Self { flights: Slab::new(), open: Table::new(), news: VecDeque::new() }
    }

    /// A call is about to send.
    ///
    /// `left` is the flight that it has left before: it wants another request than that one. `draw` is random, and used if the
    /// call leads.
    pub(crate) fn join(&mut self, call: CallId, likeness: Likeness, left: Option<FlightId>, draw: u32) -> Joined {
        if let Some(flight) = self.open.get_mut(likeness.share).map(|open| *open)
            && Some(flight) != left
            && let Some(found) = self.flights.get_mut(flight.0)
            && found.likeness == likeness
        {
            found.members.push_back(call);
            let role = if found.sent { Role::Follows } else { Role::Waits };
            return Joined { flight, role, draw: found.draw };
        }
        let members = VecDeque::from([call]);
        let flight = Flight { likeness, members, sent: false, known: None, moment: 0, draw, rest: Rest::default() };
        let flight = FlightId(self.flights.insert(flight));
        self.open.remove(likeness.share);
        self.open.entry(likeness.share, || flight);
        Joined { flight, role: Role::Leads, draw }
    }

    /// The leader sends the request. Who waits for it is told by [`news`](Self::news).
    pub(crate) fn take_off(&mut self, flight: FlightId, moment: u64, rest: Rest) {
        if let Some(found) = self.flights.get_mut(flight.0) {
            (found.sent, found.moment, found.rest) = (true, moment, rest);
            self.news.extend(found.members.iter().skip(1).map(|call| (*call, News::Sent)));
        }
    }

    /// How the flight of a call that follows is.
    pub(crate) fn course(&mut self, flight: FlightId) -> Option<Course> {
        let found = self.flights.get_mut(flight.0)?;
        Some(Course { with: *found.members.front()?, moment: found.moment })
    }

    /// Something is known of the answer: who comes now sends a request of its own. Since when it is known.
    pub(crate) fn close(&mut self, flight: FlightId, now: Instant) -> Option<Instant> {
        let found = self.flights.get_mut(flight.0)?;
        if self.open.get_mut(found.likeness.share).is_some_and(|open| *open == flight) {
            self.open.remove(found.likeness.share);
        }
        Some(*found.known.get_or_insert(now))
    }

    /// What the request has of its circuit, for the call that knows what became of it.
    pub(crate) fn permit(&mut self, flight: FlightId) -> Option<Permit> {
        self.flights.get_mut(flight.0)?.rest.permit.take()
    }

    /// Whether the request has leave to find out if its circuit may close.
    pub(crate) fn probes(&mut self, flight: FlightId) -> bool {
        let found = self.flights.get_mut(flight.0);
        found.and_then(|found| found.rest.permit).is_some_and(|permit| permit.probe)
    }

    /// The request needs its slot no more. Whether it had one.
    pub(crate) fn slot(&mut self, flight: FlightId) -> bool {
        self.flights.get_mut(flight.0).is_some_and(|found| core::mem::take(&mut found.rest.slot))
    }

    /// A call waits for the request no more. If it was the last one, what is to be given back.
    pub(crate) fn leave(&mut self, flight: FlightId, call: CallId) -> Option<Rest> {
        let found = self.flights.get_mut(flight.0)?;
        let place = found.members.iter().position(|member| *member == call)?;
        found.members.remove(place);
        if !self.news.is_empty() {
            self.news.retain(|(told, _)| *told != call);
        }
        let rest = found.rest;
        match found.members.front() {
            Some(heir) => {
                if place == 0 && !found.sent {
                    self.news.push_back((*heir, News::Lead));
                }
                None
            }
            None => {
                self.close(flight, Instant(0));
                self.flights.remove(flight.0);
                Some(rest)
            }
        }
    }

    /// The next call that is to be told something.
    pub(crate) fn news(&mut self) -> Option<(CallId, News)> {
        self.news.pop_front()
    }

    /// How many flights there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.flights.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::vec::Vec;

    const fn call(index: u32) -> CallId {
        CallId { index, generation: 0 }
    }

    const fn like(share: u64) -> Likeness {
        Likeness { share, lane: 0, circuit: 0, auth: 0 }
    }

    fn join(flights: &mut Flights, index: u32, share: u64) -> Joined {
        flights.join(call(index), like(share), None, index)
    }

    fn news(flights: &mut Flights) -> Vec<(u32, News)> {
        core::iter::from_fn(|| flights.news()).map(|(call, news)| (call.index, news)).collect()
    }

    #[test]
    fn the_first_leads_and_those_that_come_before_the_answer_follow() {
        let mut flights = Flights::new();
        let first = join(&mut flights, 1, 7);
        assert_eq!((first.role, first.draw), (Role::Leads, 1));
        let second = join(&mut flights, 2, 7);
        assert_eq!((second.role, second.flight, second.draw), (Role::Waits, first.flight, 1));
        assert_eq!(join(&mut flights, 3, 8).role, Role::Leads);
        flights.take_off(first.flight, 5, Rest::default());
        assert_eq!(news(&mut flights), [(2, News::Sent)]);
        assert_eq!(join(&mut flights, 4, 7).role, Role::Follows);
        assert_eq!(flights.course(first.flight), Some(Course { with: call(1), moment: 5 }));
        assert_eq!(flights.close(first.flight, Instant(3)), Some(Instant(3)));
        assert_eq!(flights.close(first.flight, Instant(4)), Some(Instant(3)));
        assert_eq!(join(&mut flights, 5, 7).role, Role::Leads);
    }

    #[test]
    fn the_next_one_leads_if_the_leader_leaves_before_it_sends() {
        let mut flights = Flights::new();
        let flight = join(&mut flights, 1, 7).flight;
        join(&mut flights, 2, 7);
        join(&mut flights, 3, 7);
        assert!(flights.leave(flight, call(1)).is_none());
        // It leaves before it has heard that it leads.
        assert!(flights.leave(flight, call(2)).is_none());
        assert_eq!(news(&mut flights), [(3, News::Lead)]);
        assert!(flights.leave(flight, call(3)).is_some());
        assert_eq!((flights.len(), flights.open.len()), (0, 0));
    }

    #[test]
    fn the_request_goes_on_until_the_last_one_leaves_who_gets_what_it_held() {
        let mut flights = Flights::new();
        let flight = join(&mut flights, 1, 7).flight;
        join(&mut flights, 2, 7);
        let mut permit = Permit::default();
        permit.probe = true;
        let permit = Some(permit);
        flights.take_off(flight, 0, Rest { slot: true, permit });
        assert!(flights.probes(flight));
        assert!(flights.leave(flight, call(1)).is_none());
        assert_eq!(flights.course(flight).map(|course| course.with), Some(call(2)));
        let rest = flights.leave(flight, call(2)).unwrap();
        assert!(rest.slot && rest.permit.is_some());
        assert_eq!(flights.course(flight), None);
    }

    #[test]
    fn a_call_that_left_a_request_does_not_come_back_to_it() {
        let mut flights = Flights::new();
        let flight = join(&mut flights, 1, 7).flight;
        join(&mut flights, 2, 7);
        flights.take_off(flight, 0, Rest::default());
        flights.leave(flight, call(2));
        let again = flights.join(call(2), like(7), Some(flight), 9);
        assert_eq!(again.role, Role::Leads);
        // Others join the later request.
        assert_eq!(join(&mut flights, 3, 7).flight, again.flight);
        flights.close(flight, Instant(0));
        assert_eq!(join(&mut flights, 4, 7).flight, again.flight);
    }

    #[test]
    fn calls_of_another_lane_circuit_or_auth_are_not_equal() {
        let mut flights = Flights::new();
        join(&mut flights, 1, 7);
        for (index, other) in
            [Likeness { lane: 1, ..like(7) }, Likeness { circuit: 1, ..like(7) }, Likeness { auth: 1, ..like(7) }]
                .into_iter()
                .enumerate()
        {
            assert_eq!(flights.join(call(9 + index as u32), other, None, 0).role, Role::Leads);
        }
    }

    /// The same in the plainest way: a list of requests.
    #[derive(Default)]
    struct Model(Vec<Request>);

    #[derive(Clone, Debug)]
    struct Request {
        share: u64,
        members: Vec<u32>,
        sent: bool,
        open: bool,
    }

    impl Model {
        fn of(&mut self, index: u32) -> Option<&mut Request> {
            self.0.iter_mut().find(|request| request.members.contains(&index))
        }
    }

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Join(u64),
        Send(u32),
        Close(u32),
        Leave(u32),
    }

    fn any_step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => (1_u64..4).prop_map(Step::Join),
            1 => (0_u32..24).prop_map(Step::Send),
            1 => (0_u32..24).prop_map(Step::Close),
            3 => (0_u32..24).prop_map(Step::Leave),
        ]
    }

    proptest! {
        #[test]
        fn flights_are_as_a_plain_list_of_requests(steps in prop::collection::vec(any_step(), 0..60)) {
            let mut flights = Flights::new();
            let mut model = Model::default();
            let mut ids = BTreeMap::new();
            let mut next = 0;
            for step in steps {
                match step {
                    Step::Join(share) => {
                        let joined = join(&mut flights, next, share);
                        ids.insert(next, joined.flight);
                        let role = match model.0.iter_mut().find(|request| request.share == share && request.open) {
                            Some(request) => {
                                request.members.push(next);
                                if request.sent { Role::Follows } else { Role::Waits }
                            }
                            None => {
                                model.0.push(Request { share, members: [next].into(), sent: false, open: true });
                                Role::Leads
                            }
                        };
                        prop_assert_eq!(joined.role, role);
                        next += 1;
                    }
                    Step::Send(index) => if let Some(request) = model.of(index).filter(|one| !one.sent) {
                        request.sent = true;
                        let waiting: Vec<_> = request.members[1..].iter().map(|one| (*one, News::Sent)).collect();
                        flights.take_off(ids[&index], 0, Rest { slot: true, permit: None });
                        prop_assert_eq!(news(&mut flights), waiting);
                    },
                    Step::Close(index) => if let Some(request) = model.of(index).filter(|one| one.sent) {
                        request.open = false;
                        flights.close(ids[&index], Instant(0));
                    },
                    Step::Leave(index) => if let Some(request) = model.of(index) {
                        let led = request.members[0] == index;
                        request.members.retain(|one| *one != index);
                        let heir = request.members.first().copied();
                        let told: Vec<_> = heir.filter(|_| led && !request.sent).map(|one| (one, News::Lead)).into_iter().collect();
                        let sent = request.sent;
                        model.0.retain(|request| !request.members.is_empty());
                        let rest = flights.leave(ids[&index], call(index));
                        prop_assert_eq!(rest.map(|rest| rest.slot), heir.is_none().then_some(sent));
                        prop_assert_eq!(news(&mut flights), told);
                    },
                }
                prop_assert_eq!(flights.len(), model.0.len());
                prop_assert_eq!(flights.open.len(), model.0.iter().filter(|request| request.open).count());
            }
        }
    }
}
