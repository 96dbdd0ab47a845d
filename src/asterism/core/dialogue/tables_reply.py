"""The table `reply`: weights by name, rounded. Written by `asterism.evals.dialogue_fit`; do not edit.

Fitted on every second one of the 72 train logs of the IRC reply links (CC BY 4.0) and the developer part of Molweni
(Apache 2.0).
"""

from __future__ import annotations

from asterism.core.dialogue.tables import Table, weights_from

FIRST = r"""
distance: 1 -0.1 2 0.1 3 0.2 4 0.2 6_8 -0.3 9_12 -0.3 13_20 -0.1 log -1.1 none: bias 0.2 goes_on -0.5 own_near -1.3
y_names 0.5 y_names_unseen 0.9 named -0.5 named_since_own -0.3 has_partner -0.5 y_question 0.6 y_asks_wh 0.5
y_asks_aux 0.6 y_asks_help 0.6 y_yes -0.4 y_no -0.3 y_thanks -0.3 y_welcome -0.1 y_greeting 1.2 y_farewell 0.4
y_laughs -0.1 y_commands -0.6 y_advises 0.1 y_goes_on -0.4 y_now 0.1 y_first_person 0.4 y_second_person -0.5
y_third_thing -0.3 y_negates -0.3 y_corrects -0.1 y_praise 0.1 y_thinks -0.4 y_number 0.2 y_link -0.1 y_code -0.1
y_bot_call 0.1 y_trails_off 0.3 y_exclaims 0.2 y_one_word 0.7 y_few_words 0.3 y_some_words -0.1 y_many_words 0.7
y_plain -0.1 no_words 0.8 best_shared 0.3 speaker: same -0.1 own_last 0.8 own_last.d2 0.1 own_last.d6 0.9
same_turn.start 0.2 other_nearest 0.1 other_turn.start -0.4 other_since_own -0.1 other_since_own.first 0.7 last_of_x
1.2 last_turn_of_x 0.6 own_between -0.3 own_between_any -0.1 goes_on.same -0.6 goes_on.d1 0.6 goes_on.other_nearest
0.8 goes_on.other_turn 0.6 new.d1 -0.2 x_new 0.1 x_ends_turn 0.2 x_new_before_own 0.4 address: y_names_x 0.9 y_leads_x
0.6 y_names_x.last -0.5 y_names_x.last_turn 0.3 y_names_x.nearest -0.5 y_names_x.far -0.6 y_names_x.log 1
y_names_x.x_names_y 0.2 y_names_x.nearest_x_names_y 0.5 y_names_x.x_elsewhere 0.1 y_names_x.x_free 0.5
y_names_x.x_question 0.4 y_names_x.x_plain -0.1 y_names_x.x_thanks 0.2 y_names_x.x_acknowledge 0.1
y_names_x.x_greeting 0.5 y_names_x.x_asks_help 0.4 y_names_x.x_few_words 0.1 y_names_x.x_one_word 0.4
y_names_x.x_many_words 0.4 y_names_x.y_question 0.5 y_names_x.y_thanks -0.2 y_names_x.y_yes 0.1 y_names_x.y_no 0.2
y_names_x.y_advises -0.2 x_names_y 0.5 x_names_y.nearest 0.1 x_names_y.y_free 0.3 x_names_y.nearest_y_free -0.1
x_names_y.y_free.log 0.7 x_names_y.since_own 1.5 x_names_y.x_question 0.1 y_elsewhere -1.5 x_elsewhere -0.9
x_elsewhere.y_free -0.4 neither 0.6 neither.d1 0.7 neither.nearest -0.3 x_free.nearest -0.1 same_addressee.same 0.8
same_addressee.same.last 0.5 same_addressee.other 1.2 own.y_names 0.2 own.y_names_new -0.6 own.x_names -0.1
own.x_names.last 0.1 own.free -0.2 partner -0.4 partner.last -0.2 partner.y_free.last -0.8 partner.x_free 0.3
x_partner 0.6 x_partner.last 0.5 x_partner.y_free -0.1 not_partner -2.1 named_by_nearer -0.2 own.named_since -0.4
form: x_question.same -0.1 y_question.d1 -0.1 y_asks_wh.same -0.1 x_asks_aux.same 0.2 y_asks_aux.same 0.1 x_asks_help
-0.1 x_asks_help.same 0.2 y_asks_help.same 0.3 x_yes 0.1 x_yes.same -0.1 y_yes.same -0.2 y_yes.d1 -0.1 x_no.same 0.1
y_no.same 0.1 y_no.d1 0.3 x_acknowledge.same -0.1 y_acknowledge.same -0.1 y_acknowledge.d1 0.1 x_thanks -0.3
x_thanks.same 0.1 y_thanks.same -0.1 x_welcome -0.4 x_welcome.same -0.1 y_welcome.same -0.1 y_welcome.d1 0.2
x_greeting -0.1 x_greeting.same 0.3 y_greeting.same 0.1 y_greeting.d1 -0.4 x_farewell -0.2 x_farewell.same 0.1
y_farewell.same -0.2 y_farewell.d1 -0.1 x_sorry -0.4 x_sorry.same -0.2 y_sorry.same -0.1 y_sorry.d1 0.2 x_laughs -0.4
y_laughs.same -0.1 x_commands.same -0.2 y_commands.same -0.1 y_commands.d1 -0.1 x_advises -0.2 x_advises.same 0.3
y_advises.same 0.2 y_advises.d1 0.1 x_goes_on -0.1 x_goes_on.same 0.2 y_goes_on.same 0.4 y_goes_on.d1 -0.1 x_now.same
-0.1 y_now.d1 0.1 x_first_person 0.1 x_first_person.same 0.2 y_first_person.same 0.1 y_first_person.d1 0.1
x_second_person -0.1 x_second_person.same -0.3 y_second_person.same -0.2 y_second_person.d1 0.1 x_third_thing 0.1
x_third_thing.same -0.1 y_third_thing.d1 0.1 x_negates 0.2 x_negates.same -0.1 y_negates.same -0.3 x_corrects 0.1
x_corrects.same -0.2 y_corrects.same 0.3 y_corrects.d1 0.2 x_done -0.1 x_done.same 0.3 y_done.same 0.2 y_done.d1 0.3
x_like_this -0.4 x_like_this.same 0.1 y_like_this.d1 0.1 x_praise 0.1 x_praise.same -0.1 y_praise.same -0.1
y_praise.d1 -0.6 x_thinks -0.2 x_thinks.same 0.1 y_thinks.same -0.2 y_thinks.d1 -0.2 x_number.same 0.1 y_number.same
0.1 y_number.d1 -0.2 x_link -0.1 x_link.same 0.2 y_link.same -0.1 y_link.d1 0.3 x_code 0.1 x_code.same 0.1 y_code.d1
-0.2 x_bot_call 0.3 x_bot_call.same -0.2 y_bot_call.same -0.3 y_bot_call.d1 -0.3 x_trails_off 0.4 y_trails_off.same
0.1 y_trails_off.d1 -0.3 x_exclaims -0.1 x_exclaims.same -0.3 y_exclaims.same -0.4 y_exclaims.d1 0.1 x_only_marks -0.3
x_only_marks.same 0.1 y_only_marks.same 0.5 y_only_marks.d1 0.3 x_roll 0.1 x_roll.same 0.1 y_roll.d1 0.2 x_one_word
-0.9 x_one_word.same 0.8 y_one_word.same 0.8 y_one_word.d1 0.1 x_few_words -0.6 x_few_words.same 0.7 y_few_words.same
0.8 x_some_words -0.1 x_some_words.same 0.1 y_some_words.same 0.2 y_some_words.d1 0.1 x_many_words -0.1
x_many_words.same 0.4 y_many_words.same 0.3 y_many_words.d1 0.1 x_plain 0.1 x_plain.same -0.1 y_plain.same 0.2
y_plain.d1 0.1 pair: question>question -0.1 question>asks_wh -0.2 question>asks_help -0.6 question>yes 0.5
question>acknowledge -0.1 question>thanks -0.4 question>greeting -0.5 question>commands 0.1 question>advises -0.1
question>corrects -0.1 question>done 0.1 question>praise 0.1 question>first_person -0.2 question>second_person 0.2
question>bot_call 0.3 question>goes_on -0.1 question>now -0.1 question>plain 0.2 asks_wh>question 0.1 asks_wh>asks_wh
0.1 asks_wh>yes 0.3 asks_wh>no -0.1 asks_wh>acknowledge -0.1 asks_wh>thanks -0.2 asks_wh>greeting -0.2
asks_wh>corrects -0.2 asks_wh>done 0.1 asks_wh>praise 0.1 asks_wh>first_person 0.2 asks_wh>second_person 0.3
asks_wh>bot_call 0.1 asks_wh>goes_on -0.1 asks_wh>now -0.2 asks_wh>plain 0.1 asks_help>question -0.1
asks_help>asks_help -0.1 asks_help>yes 0.3 asks_help>no -0.1 asks_help>acknowledge 0.1 asks_help>thanks -0.2
asks_help>greeting -0.2 asks_help>commands 0.2 asks_help>advises 0.3 asks_help>corrects 0.1 asks_help>done -0.1
asks_help>praise 0.1 asks_help>first_person -0.4 asks_help>second_person 0.2 asks_help>bot_call 0.2 asks_help>goes_on
-0.3 asks_help>plain -0.2 yes>question 0.1 yes>asks_wh -0.1 yes>asks_help -0.1 yes>yes -0.3 yes>no 0.1 yes>thanks 0.1
yes>greeting -0.1 yes>commands -0.2 yes>advises -0.2 yes>praise 0.1 yes>first_person 0.1 yes>now -0.1 no>question -0.2
no>asks_wh -0.1 no>yes -0.1 no>acknowledge 0.1 no>greeting -0.1 no>commands 0.1 no>advises 0.1 no>done -0.1
no>first_person 0.1 no>bot_call 0.1 no>now 0.1 acknowledge>asks_wh -0.4 acknowledge>asks_help -0.3 acknowledge>yes
-0.1 acknowledge>no 0.1 acknowledge>acknowledge -0.1 acknowledge>thanks -0.1 acknowledge>greeting -0.1
acknowledge>commands 0.3 acknowledge>advises 0.2 acknowledge>corrects -0.1 acknowledge>first_person 0.1
acknowledge>second_person 0.2 acknowledge>bot_call -0.1 acknowledge>plain 0.2 thanks>question -0.4 thanks>asks_wh -0.1
thanks>asks_help -0.1 thanks>yes -0.1 thanks>no 0.3 thanks>greeting -0.1 thanks>corrects -0.1 thanks>first_person -0.1
thanks>second_person 0.5 thanks>goes_on -0.1 thanks>now -0.2 thanks>plain -0.2 greeting>question -0.3 greeting>asks_wh
-0.1 greeting>no -0.1 greeting>acknowledge -0.1 greeting>greeting 0.1 greeting>corrects -0.1 greeting>first_person
-0.1 greeting>bot_call 0.1 greeting>plain -0.2 commands>asks_wh 0.5 commands>asks_help -0.2 commands>yes 0.1
commands>no -0.1 commands>thanks 0.3 commands>greeting -0.1 commands>commands 0.2 commands>advises -0.1
commands>praise -0.2 commands>second_person 0.2 commands>bot_call -0.1 commands>plain 0.1 advises>question 0.3
advises>asks_wh 0.1 advises>yes -0.2 advises>no -0.2 advises>acknowledge 0.2 advises>thanks 0.2 advises>greeting -0.1
advises>commands -0.6 advises>advises -0.6 advises>done -0.2 advises>praise -0.2 advises>first_person 0.2
advises>bot_call -0.1 advises>now -0.1 advises>plain 0.1 corrects>question 0.1 corrects>asks_help -0.1 corrects>yes
0.3 corrects>acknowledge 0.2 corrects>greeting -0.1 corrects>advises 0.1 corrects>corrects -0.1 corrects>praise -0.1
corrects>first_person -0.1 corrects>second_person 0.2 corrects>goes_on -0.3 corrects>now 0.2 done>asks_wh 0.1
done>asks_help -0.2 done>yes 0.1 done>no 0.1 done>acknowledge 0.2 done>thanks 0.1 done>greeting -0.1 done>commands
-0.2 done>done 0.2 done>first_person 0.6 done>second_person -0.1 done>goes_on 0.2 done>plain -0.4 praise>question -0.2
praise>asks_wh 0.1 praise>asks_help -0.1 praise>yes 0.1 praise>thanks -0.1 praise>corrects -0.1 praise>done -0.1
praise>first_person -0.1 praise>second_person 0.1 praise>goes_on -0.2 praise>plain 0.4 first_person>question -0.3
first_person>asks_wh 0.1 first_person>asks_help -0.2 first_person>yes 0.1 first_person>no -0.1
first_person>acknowledge -0.1 first_person>thanks -0.2 first_person>greeting -0.5 first_person>commands 0.2
first_person>advises 0.4 first_person>corrects 0.3 first_person>done -0.3 first_person>praise 0.3
first_person>first_person -0.4 first_person>second_person 0.3 first_person>bot_call 0.2 first_person>goes_on -0.1
first_person>now 0.1 first_person>plain 0.1 second_person>question 0.2 second_person>asks_wh -0.1
second_person>asks_help 0.2 second_person>yes 0.2 second_person>no 0.3 second_person>thanks 0.3 second_person>greeting
-0.2 second_person>commands -0.2 second_person>advises -0.1 second_person>corrects -0.4 second_person>done -0.2
second_person>praise -0.3 second_person>first_person 0.5 second_person>second_person -0.2 second_person>bot_call -0.1
second_person>goes_on 0.1 second_person>plain -0.1 bot_call>asks_wh -0.1 bot_call>asks_help 0.4 bot_call>yes -0.1
bot_call>thanks 0.1 bot_call>greeting -0.1 bot_call>commands 0.3 bot_call>advises 0.3 bot_call>done -0.1
bot_call>first_person -0.2 bot_call>second_person 0.4 bot_call>bot_call -0.1 bot_call>goes_on -0.1 bot_call>plain 0.4
goes_on>question -0.1 goes_on>asks_wh 0.3 goes_on>asks_help -0.2 goes_on>acknowledge -0.2 goes_on>thanks -0.2
goes_on>greeting -0.1 goes_on>commands 0.2 goes_on>advises 0.1 goes_on>done 0.1 goes_on>praise -0.2
goes_on>first_person -0.1 goes_on>second_person -0.2 goes_on>goes_on 0.3 goes_on>now 0.2 goes_on>plain 0.1
now>question -0.1 now>asks_wh 0.1 now>thanks 0.1 now>greeting -0.1 now>commands 0.3 now>advises 0.3 now>corrects 0.1
now>done -0.1 now>praise -0.1 now>first_person 0.1 now>second_person -0.2 now>goes_on 0.1 now>plain -0.1
plain>question 0.1 plain>asks_help -0.4 plain>yes 0.5 plain>no -0.1 plain>acknowledge 0.3 plain>thanks 0.3
plain>greeting -0.6 plain>commands 0.2 plain>advises -0.1 plain>corrects 0.1 plain>done -0.2 plain>praise 0.1
plain>second_person 0.3 plain>goes_on 0.2 plain>plain 0.2 open: nearest_commands 0.3 own_nearest_commands -0.1
nearest_asks_help -0.1 own_nearest_asks_help 0.2 nearest_thanks -0.3 own_nearest_thanks 0.1 thanks_between -0.1
nearest_greeting -0.2 own_nearest_greeting 0.3 greeting_between -0.1 nearest_bot_call 0.6 own_nearest_bot_call -0.2
bot_call_between 0.2 nearest_plain -0.2 own_nearest_plain 0.2 plain_between -0.1 question.y_answers 0.1
question.y_answers_since_own 0.1 y_acknowledge.other_nearest 0.2 y_acknowledge.own_last -0.1 y_thanks.other_nearest
0.2 y_yes.other_nearest 0.1 y_no.other_nearest 0.1 y_no.own_last 0.1 y_question.other_nearest 0.4 y_question.own_last
0.4 y_plain.other_nearest -0.1 y_plain.own_last 0.5 y_goes_on.other_nearest 0.2 y_goes_on.own_last 0.5
y_now.other_nearest 0.3 y_now.own_last -0.1 words: overlap 0.7 overlap.same -0.4 shared 0.3 shared.same 0.1 best -0.2
best.other 0.6 any -0.3 none_between -0.1 size_x -0.2 short_x -0.4
"""
SECOND = r"""
distance: 1 0.1 2 0.1 3 0.1 4 0.2 6_8 -0.2 9_12 -0.3 13_20 -0.1 log -0.9 speaker: same 0.1 own_last 0.3 own_last.d6
0.7 same_turn -0.2 same_turn.start 0.1 other_nearest 0.3 other_turn 0.1 other_turn.start -0.3 other_since_own -0.1
other_since_own.first 0.3 last_of_x 1 last_turn_of_x 0.5 own_between -0.2 goes_on.same -0.4 goes_on.d1 0.2
goes_on.other_nearest 0.4 goes_on.other_turn 0.2 new.other 0.1 new.d1 0.4 x_ends_turn 0.2 x_new_before_own 0.2 none:
new_speaker -0.1 goes_on -0.2 own_near -0.6 y_names 0.2 y_names_unseen 0.8 named -0.3 named_since_own -0.3 has_partner
-0.5 y_question 0.4 y_asks_wh 0.4 y_asks_aux 0.5 y_asks_help 0.4 y_yes -0.3 y_no -0.3 y_thanks -0.3 y_welcome -0.1
y_greeting 1 y_farewell 0.4 y_laughs -0.1 y_commands -0.5 y_advises 0.1 y_goes_on -0.3 y_now 0.1 y_first_person 0.4
y_second_person -0.3 y_third_thing -0.2 y_negates -0.2 y_praise 0.1 y_thinks -0.3 y_number 0.1 y_link -0.1 y_code -0.1
y_bot_call 0.1 y_trails_off 0.2 y_exclaims 0.2 y_one_word 0.6 y_few_words 0.2 y_some_words -0.1 y_many_words 0.5
no_words 0.6 best_shared 0.2 own_started 0.3 line_before_starts -0.1 next_answers -1 answered 0.4 address: y_names_x
0.7 y_leads_x 0.5 y_names_x.last -0.4 y_names_x.last_turn 0.3 y_names_x.nearest -0.3 y_names_x.far -0.5 y_names_x.log
0.7 y_names_x.x_names_y 0.1 y_names_x.nearest_x_names_y 0.4 y_names_x.x_elsewhere 0.2 y_names_x.x_free 0.4
y_names_x.x_question 0.4 y_names_x.x_thanks 0.2 y_names_x.x_acknowledge 0.2 y_names_x.x_greeting 0.4
y_names_x.x_asks_help 0.4 y_names_x.x_one_word 0.3 y_names_x.x_many_words 0.3 y_names_x.y_question 0.4
y_names_x.y_thanks -0.3 y_names_x.y_yes 0.1 y_names_x.y_no 0.3 y_names_x.y_advises -0.1 x_names_y 0.2
x_names_y.nearest -0.1 x_names_y.y_free 0.1 x_names_y.nearest_y_free -0.2 x_names_y.y_free.log 0.4 x_names_y.since_own
1.1 x_names_y.x_question 0.1 y_elsewhere -1 x_elsewhere -0.5 x_elsewhere.y_free -0.2 neither 0.3 neither.d1 0.5
neither.nearest -0.3 same_addressee.same 0.8 same_addressee.same.last 0.4 same_addressee.other 0.9 own.y_names 0.1
own.y_names_new -0.7 own.x_names -0.1 own.x_names.last 0.1 own.free 0.1 partner -0.5 partner.last -0.3 partner.y_free
0.3 partner.y_free.last -0.6 partner.x_free 0.1 x_partner 0.3 x_partner.last 0.3 x_partner.y_free -0.1 not_partner
-1.2 own.named_since 0.1 form: x_question -0.1 y_question.d1 -0.1 x_asks_wh.same 0.1 y_asks_wh.same -0.1
x_asks_aux.same 0.2 y_asks_aux.same 0.1 x_asks_help -0.1 x_asks_help.same 0.1 y_asks_help.same 0.2 x_yes 0.2
y_yes.same -0.1 y_yes.d1 -0.1 x_no.same 0.1 y_no.same 0.1 y_no.d1 0.3 y_acknowledge.same -0.1 y_acknowledge.d1 0.1
x_thanks -0.2 y_thanks.same -0.1 x_welcome -0.4 x_welcome.same -0.1 y_welcome.same -0.1 y_welcome.d1 0.2 x_greeting
-0.2 y_greeting.same 0.1 y_greeting.d1 -0.3 x_farewell -0.3 x_farewell.same 0.1 y_farewell.same -0.2 y_farewell.d1
-0.1 x_sorry -0.4 x_sorry.same -0.1 y_sorry.same -0.1 y_sorry.d1 0.1 x_laughs -0.3 x_laughs.same -0.1 y_laughs.same
-0.1 x_commands 0.1 x_commands.same -0.1 y_commands.d1 -0.1 x_advises -0.2 x_advises.same 0.2 y_advises.same 0.1
y_advises.d1 0.1 x_goes_on -0.1 x_goes_on.same 0.2 y_goes_on.same 0.3 y_goes_on.d1 -0.1 x_now.same -0.1 y_now.d1 0.1
x_first_person 0.1 x_first_person.same 0.1 y_first_person.same 0.1 x_second_person.same -0.1 y_second_person.same -0.1
y_second_person.d1 0.1 x_third_thing 0.1 y_third_thing.same 0.1 x_negates 0.1 x_negates.same -0.1 y_negates.same -0.2
x_corrects 0.1 x_corrects.same -0.1 y_corrects.same 0.2 y_corrects.d1 0.1 x_done -0.1 x_done.same 0.3 y_done.same 0.1
y_done.d1 0.2 x_like_this -0.4 x_like_this.same 0.1 y_like_this.d1 0.1 x_praise.same -0.2 y_praise.same -0.1
y_praise.d1 -0.5 x_thinks -0.2 x_thinks.same 0.2 y_thinks.same -0.2 y_thinks.d1 -0.1 x_number.same 0.1 y_number.same
0.1 y_number.d1 -0.2 x_link -0.1 x_link.same 0.1 y_link.same -0.1 y_link.d1 0.4 x_code 0.1 y_code.d1 -0.1 x_bot_call
0.3 x_bot_call.same -0.1 y_bot_call.same -0.3 y_bot_call.d1 -0.3 x_trails_off 0.3 x_trails_off.same -0.1
y_trails_off.d1 -0.2 x_exclaims -0.1 x_exclaims.same -0.2 y_exclaims.same -0.3 y_exclaims.d1 0.1 x_only_marks -0.2
x_only_marks.same 0.1 y_only_marks.same 0.4 y_only_marks.d1 0.3 x_roll 0.1 x_roll.same 0.1 y_roll.d1 0.2 x_one_word
-0.8 x_one_word.same 0.4 y_one_word.same 0.5 y_one_word.d1 0.1 x_few_words -0.5 x_few_words.same 0.4 y_few_words.same
0.5 y_few_words.d1 0.1 x_some_words -0.1 x_some_words.same 0.1 y_some_words.same 0.2 y_some_words.d1 0.1
x_many_words.same 0.2 y_many_words.same 0.3 y_many_words.d1 0.1 x_plain 0.1 y_plain.same 0.2 y_plain.d1 0.1 pair:
question>question -0.1 question>asks_wh -0.2 question>asks_help -0.5 question>yes 0.4 question>acknowledge -0.1
question>thanks -0.3 question>greeting -0.5 question>advises -0.1 question>corrects -0.2 question>done 0.1
question>praise 0.1 question>first_person -0.2 question>second_person 0.2 question>bot_call 0.3 question>now -0.1
question>plain 0.2 asks_wh>question 0.1 asks_wh>asks_wh 0.1 asks_wh>yes 0.3 asks_wh>no -0.1 asks_wh>acknowledge -0.1
asks_wh>thanks -0.2 asks_wh>greeting -0.2 asks_wh>commands 0.1 asks_wh>corrects -0.2 asks_wh>done 0.1 asks_wh>praise
0.1 asks_wh>first_person 0.2 asks_wh>second_person 0.3 asks_wh>bot_call 0.1 asks_wh>goes_on -0.2 asks_wh>now -0.2
asks_wh>plain 0.1 asks_help>question -0.1 asks_help>asks_help -0.1 asks_help>yes 0.3 asks_help>no -0.1
asks_help>acknowledge 0.1 asks_help>thanks -0.2 asks_help>greeting -0.2 asks_help>commands 0.2 asks_help>advises 0.3
asks_help>corrects 0.1 asks_help>done -0.1 asks_help>praise 0.1 asks_help>first_person -0.3 asks_help>second_person
0.1 asks_help>bot_call 0.2 asks_help>goes_on -0.2 asks_help>plain -0.2 yes>question 0.1 yes>asks_wh -0.1 yes>asks_help
-0.1 yes>yes -0.3 yes>no 0.1 yes>acknowledge -0.1 yes>thanks 0.1 yes>greeting -0.1 yes>commands -0.2 yes>advises -0.2
yes>done -0.1 yes>praise 0.1 yes>first_person 0.1 yes>now -0.1 no>question -0.2 no>asks_wh -0.1 no>yes -0.1 no>no -0.1
no>greeting -0.1 no>commands 0.1 no>advises 0.1 no>done -0.1 no>praise -0.1 no>first_person 0.1 no>second_person -0.1
no>bot_call 0.1 acknowledge>asks_wh -0.3 acknowledge>asks_help -0.2 acknowledge>yes -0.1 acknowledge>no 0.2
acknowledge>acknowledge -0.1 acknowledge>thanks -0.1 acknowledge>greeting -0.1 acknowledge>commands 0.3
acknowledge>advises 0.1 acknowledge>corrects -0.2 acknowledge>second_person 0.2 acknowledge>bot_call -0.1
acknowledge>goes_on 0.1 acknowledge>plain 0.1 thanks>question -0.4 thanks>asks_wh -0.1 thanks>asks_help -0.1 thanks>no
0.3 thanks>thanks -0.1 thanks>corrects -0.1 thanks>first_person -0.1 thanks>second_person 0.5 thanks>goes_on -0.1
thanks>now -0.1 thanks>plain -0.2 greeting>question -0.2 greeting>asks_wh -0.1 greeting>no -0.1 greeting>acknowledge
-0.1 greeting>greeting 0.2 greeting>corrects -0.1 greeting>done 0.1 greeting>bot_call 0.1 greeting>goes_on 0.1
greeting>plain -0.2 commands>asks_wh 0.5 commands>asks_help -0.2 commands>no -0.1 commands>thanks 0.3
commands>greeting -0.1 commands>commands 0.2 commands>advises -0.1 commands>praise -0.2 commands>second_person 0.1
commands>bot_call -0.1 commands>goes_on -0.1 advises>question 0.2 advises>asks_wh 0.1 advises>asks_help -0.1
advises>yes -0.2 advises>no -0.2 advises>acknowledge 0.2 advises>thanks 0.2 advises>greeting -0.1 advises>commands
-0.5 advises>advises -0.6 advises>done -0.2 advises>praise -0.2 advises>first_person 0.2 advises>bot_call -0.1
advises>now -0.1 corrects>question 0.1 corrects>asks_help -0.1 corrects>yes 0.3 corrects>acknowledge 0.2
corrects>greeting -0.1 corrects>commands -0.1 corrects>advises 0.1 corrects>praise -0.1 corrects>first_person -0.1
corrects>second_person 0.2 corrects>goes_on -0.3 corrects>now 0.2 done>asks_wh 0.2 done>asks_help -0.1 done>yes 0.1
done>no 0.1 done>acknowledge 0.2 done>thanks 0.1 done>greeting -0.1 done>commands -0.3 done>done 0.1 done>first_person
0.6 done>second_person -0.1 done>goes_on 0.2 done>now 0.1 done>plain -0.4 praise>question -0.2 praise>asks_wh 0.1
praise>asks_help -0.1 praise>yes 0.1 praise>thanks -0.1 praise>advises -0.1 praise>corrects -0.1 praise>done -0.1
praise>first_person -0.1 praise>second_person 0.1 praise>goes_on -0.2 praise>plain 0.4 first_person>question -0.2
first_person>asks_wh 0.2 first_person>asks_help -0.1 first_person>yes 0.1 first_person>no -0.1
first_person>acknowledge -0.1 first_person>thanks -0.2 first_person>greeting -0.5 first_person>commands 0.1
first_person>advises 0.3 first_person>corrects 0.2 first_person>done -0.2 first_person>praise 0.2
first_person>first_person -0.3 first_person>second_person 0.2 first_person>bot_call 0.2 first_person>goes_on -0.1
first_person>now 0.1 first_person>plain 0.1 second_person>question 0.2 second_person>asks_wh -0.1
second_person>asks_help 0.1 second_person>yes 0.2 second_person>no 0.2 second_person>acknowledge -0.1
second_person>thanks 0.2 second_person>greeting -0.2 second_person>commands -0.1 second_person>advises -0.1
second_person>corrects -0.3 second_person>done -0.2 second_person>praise -0.3 second_person>first_person 0.4
second_person>second_person -0.3 second_person>bot_call -0.1 second_person>goes_on 0.1 second_person>plain -0.2
bot_call>asks_wh -0.2 bot_call>asks_help 0.4 bot_call>yes -0.1 bot_call>greeting -0.1 bot_call>commands 0.3
bot_call>advises 0.4 bot_call>done -0.1 bot_call>first_person -0.2 bot_call>second_person 0.4 bot_call>bot_call -0.1
bot_call>goes_on -0.1 bot_call>plain 0.4 goes_on>asks_wh 0.2 goes_on>asks_help -0.1 goes_on>acknowledge -0.2
goes_on>thanks -0.2 goes_on>greeting -0.1 goes_on>commands 0.2 goes_on>advises 0.1 goes_on>done 0.1 goes_on>praise
-0.2 goes_on>first_person -0.1 goes_on>second_person -0.2 goes_on>goes_on 0.2 goes_on>now 0.2 goes_on>plain 0.1
now>question -0.1 now>asks_wh 0.1 now>asks_help -0.1 now>acknowledge -0.1 now>greeting -0.1 now>commands 0.2
now>advises 0.3 now>corrects 0.1 now>done -0.1 now>praise -0.1 now>first_person 0.1 now>second_person -0.2 now>goes_on
0.1 now>now 0.1 now>plain -0.1 plain>question 0.1 plain>asks_help -0.3 plain>yes 0.4 plain>no -0.1 plain>acknowledge
0.3 plain>thanks 0.2 plain>greeting -0.5 plain>commands 0.1 plain>advises -0.1 plain>corrects 0.1 plain>done -0.1
plain>praise 0.1 plain>second_person 0.2 plain>goes_on 0.1 plain>plain 0.2 open: nearest_commands 0.2
nearest_asks_help -0.1 own_nearest_asks_help 0.1 asks_help_between -0.1 nearest_thanks -0.3 thanks_between -0.1
nearest_greeting -0.1 greeting_between -0.1 nearest_bot_call 0.6 own_nearest_bot_call -0.1 bot_call_between 0.1
nearest_plain -0.1 plain_between -0.1 question.y_answers 0.1 question.y_answers_since_own 0.1
y_acknowledge.other_nearest 0.1 y_acknowledge.own_last -0.1 y_thanks.other_nearest 0.2 y_thanks.own_last -0.1
y_yes.other_nearest 0.1 y_no.own_last 0.1 y_question.other_nearest 0.3 y_question.own_last 0.2 y_plain.other_nearest
-0.1 y_plain.own_last 0.3 y_goes_on.other_nearest 0.2 y_goes_on.own_last 0.4 y_now.other_nearest 0.2 y_now.own_last
-0.1 words: overlap 0.7 overlap.same -0.4 shared 0.2 best.other 0.3 any -0.2 none_between -0.1 size_x -0.2 short_x
-0.3 history: head_of_own -0.1 head_of_own.goes_on -0.1 head_of_own.soft 0.2 head_of_own.goes_on.soft 0.3
head_of_line_before.other 0.1 x_answers_y -0.1 x_answers_y.nearest 0.3 x_answers_own -0.1 x_answers_own.nearest 0.1
x_answers_other -0.3 x_starts 0.4 x_starts.other -0.1 own_thread 0.2 own_thread.last 0.5 own_thread.last_other 0.2
own_thread.other 0.6 last_of_thread.other -0.4 answered -0.6 answered.other 0.6 unanswered_question 0.2
nearest_unanswered -0.5 later -0.5 later.same 1.3 p -0.2 rivals -0.2 log_p 0.3
"""
FITTED_ON = (
    "every second one of the 72 train logs of the IRC reply links (CC BY 4.0) and the developer part of "
    "Molweni (Apache 2.0)"
)
REPLY = Table("reply", FITTED_ON, 16, weights_from(FIRST), weights_from(SECOND))
